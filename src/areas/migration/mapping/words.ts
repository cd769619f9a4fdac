import { THING_VALUES, THING_WORDS } from './thing-words';

/** What other systems call the fields of this one: names in letters and digits alone, in lower case. */
const COMMON: Readonly<Record<string, readonly string[]>> = {
  external_id: [
    'id',
    'externalid',
    'ticketid',
    'number',
    'ticketnumber',
    'key',
    'issuekey',
    'uuid',
    'nummer',
    'commentid',
    'userid',
    'contactid',
    'companyid',
    'assetid',
    'leadid',
    'dealid',
    'opportunityid',
  ],
  created_at: [
    'createdat',
    'created',
    'createdate',
    'createddate',
    'creationdate',
    'opened',
    'openedat',
    'createdtime',
    'erstellt',
    'erstelltam',
    'date',
    'timestamp',
  ],
  updated_at: [
    'updatedat',
    'updated',
    'lastupdate',
    'lastmodified',
    'modified',
    'modifiedat',
    'updatedtime',
    'aktualisiert',
  ],
  source_url: ['permalink', 'weburl', 'sourcelink'],
  tags: ['labels', 'tag', 'label', 'schlagworte'],
};

const OF: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  tickets: {
    subject: ['title', 'summary', 'betreff', 'titel', 'headline', 'ticketsubject'],
    description: ['body', 'document', 'text', 'content', 'message', 'beschreibung', 'details', 'firstmessage'],
    status: ['state', 'ticketstatus', 'zustand'],
    priority: ['urgency', 'prioritat', 'prioritaet', 'severity'],
    type: ['tickettype', 'issuetype', 'typ'],
    channel: ['via', 'kanal', 'origin'],
    requester_email: [
      'requester',
      'email',
      'customeremail',
      'contactemail',
      'reporter',
      'fromemail',
      'requesteremailaddress',
      'kunde',
    ],
    requester_name: ['customername', 'contactname', 'reportername', 'fromname', 'customer'],
    assigned_to: [
      'assignee',
      'agent',
      'owner',
      'assigneeemail',
      'bearbeiter',
      'assigneeid',
      'responder',
      'responderid',
    ],
    category_id: ['category', 'topicgroup', 'topic', 'kategorie', 'group', 'queue'],
    team_id: ['team', 'department', 'abteilung'],
    company_id: ['company', 'organization', 'organisation', 'account', 'firma', 'companyname', 'organizationid'],
    resolved_at: ['solvedat', 'resolved', 'resolutiondate', 'resolvedtime', 'geloest'],
    closed_at: ['closed', 'closedate', 'closedtime', 'geschlossen'],
    csat_score: ['rating', 'satisfaction', 'csat'],
    parent_id: ['parent', 'parentticket', 'parentid'],
    code: ['ticketcode'],
    source_url: ['permalink', 'weburl', 'ticketurl', 'ticketlink', 'link', 'url'],
  },
  ticket_comments: {
    ticket_id: ['ticket', 'ticketnumber', 'issue', 'issuekey', 'parent', 'conversationid', 'ticketid'],
    body: ['text', 'comment', 'content', 'message', 'bodytext', 'kommentar', 'plainbody'],
    is_internal: ['internal', 'private', 'isprivate', 'note', 'intern'],
    author_email: ['author', 'from', 'fromemail', 'email', 'autor', 'useremail', 'authoremailaddress'],
    author_name: ['fromname', 'name', 'authorname', 'username'],
    external_id: ['id', 'commentid', 'externalid'],
  },
  contacts: {
    email: ['emailaddress', 'mail', 'emailadresse', 'primaryemail'],
    name: ['fullname', 'displayname', 'contactname'],
    phone: ['phonenumber', 'telefon', 'tel'],
    mobile: ['mobilephone', 'cell', 'mobil', 'handy'],
    company_id: ['company', 'organization', 'organisation', 'account', 'companyname', 'firma', 'organizationid'],
    job_title: ['title', 'position', 'jobtitle', 'funktion'],
  },
  users: {
    email: ['emailaddress', 'mail', 'login', 'emailadresse'],
    name: ['fullname', 'displayname', 'agentname'],
    title: ['jobtitle', 'position'],
    role: ['userrole', 'rolle'],
  },
  companies: {
    name: ['companyname', 'organization', 'organisation', 'firma', 'account', 'title'],
    domains: ['domain', 'domainnames', 'emaildomain'],
    website: ['url', 'web', 'homepage'],
    notes: ['note', 'description', 'details', 'notizen'],
  },
  categories: { name: ['category', 'title', 'kategorie', 'topic'], parent_id: ['parent', 'parentcategory'] },
  kb_categories: {
    name: ['category', 'title', 'kategorie', 'section', 'folder', 'titel'],
    description: ['beschreibung', 'details'],
    parent_id: ['parent', 'parentcategory', 'parentid', 'oberkategorie'],
    language: ['locale', 'sprache'],
  },
  kb_articles: {
    external_id: ['id', 'articleid', 'externalid', 'articlenumber', 'number', 'key'],
    title: ['name', 'subject', 'headline', 'question', 'titel', 'frage', 'articletitle'],
    body: ['content', 'text', 'markdown', 'answer', 'html', 'description', 'inhalt', 'antwort', 'articlebody'],
    excerpt: ['summary', 'teaser', 'zusammenfassung', 'abstract'],
    status: ['state', 'zustand', 'publicationstatus'],
    visibility: ['audience', 'access', 'sichtbarkeit'],
    category_id: ['category', 'section', 'folder', 'sectionid', 'folderid', 'categoryname', 'kategorie'],
    author_id: ['author', 'authoremail', 'autor', 'createdby', 'verfasser'],
    language: ['locale', 'lang', 'sprache'],
    keywords: ['searchterms', 'synonyms', 'suchbegriffe'],
    translation_of_id: ['translationof', 'original', 'sourcearticle'],
    published_at: ['publishedat', 'published', 'publishdate', 'veroffentlicht'],
    view_count: ['views', 'hits', 'viewcount', 'aufrufe'],
    source_ticket_id: ['ticket', 'sourceticket'],
    helpful_count: ['helpful', 'upvotes', 'thumbsup', 'hilfreich'],
    not_helpful_count: ['nothelpful', 'unhelpful', 'downvotes', 'thumbsdown', 'nichthilfreich'],
  },
  kb_article_versions: {
    external_id: ['id', 'versionid', 'externalid'],
    article_id: ['article', 'kbarticle', 'artikel'],
    number: ['version', 'versionnumber', 'revision'],
    title: ['name', 'titel'],
    body: ['content', 'text', 'inhalt'],
    editor_name: ['editor', 'author', 'autor', 'changedby'],
    change_note: ['note', 'comment', 'changes', 'kommentar'],
  },
  ...THING_WORDS,
};

/** Letters and digits of a name, in lower case and without accents. */
export function plainName(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** What a field may be called, the best first. */
export function namesOf(entity: string, field: string): readonly string[] {
  const own = OF[entity]?.[field];
  return [plainName(field), ...(own ?? []), ...(field in (OF[entity] ?? {}) ? [] : (COMMON[field] ?? []))];
}

/** What other systems call the values of this one, likewise. */
const VALUES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  status: {
    open: ['new', 'neu', 'offen', 'opened', 'todo', 'reopened', 'backlog', 'active', '2'],
    in_progress: ['inprogress', 'working', 'inbearbeitung', 'doing', 'assigned', 'started', 'aktiv'],
    on_hold: [
      'pending',
      'hold',
      'onhold',
      'waiting',
      'wartend',
      'waitingforcustomer',
      'waitingoncustomer',
      'pendingreminder',
      'pendingclose',
      'snoozed',
      '3',
    ],
    resolved: ['solved', 'done', 'resolved', 'geloest', 'gelost', 'erledigt', 'fixed', 'merged', '4'],
    closed: ['close', 'geschlossen', 'archived', 'cancelled', 'canceled', 'abgeschlossen', '5'],
    draft: ['entwurf', 'unpublished', 'wip', '1'],
    in_review: ['review', 'pending', 'inprufung', 'approval'],
    published: ['live', 'public', 'online', 'veroffentlicht', 'active', '2'],
    archived: ['archiviert', 'archive', 'obsolete', 'outdated', 'veraltet'],
    ...THING_VALUES.status,
  },
  priority: {
    low: ['lowest', 'niedrig', 'minor', 'trivial', '1low', '1'],
    medium: ['normal', 'mittel', 'standard', 'major', '2normal', '2'],
    high: ['hoch', 'important', '3high', '3'],
    urgent: ['dringend', 'critical', 'highest', 'blocker', 'kritisch', 'emergency', '4'],
  },
  channel: {
    portal: ['web', 'form', 'api', 'webform', 'feedbackwidget', 'helpcenter'],
    email: ['mail'],
    phone: ['voice', 'call', 'telephone', 'telefon'],
    chat: ['messaging', 'webchat', 'livechat', 'facebook', 'twitter', 'whatsapp', 'sms'],
    internal: ['note', 'agent', 'intern'],
  },
  type: {
    question: ['frage', 'query'],
    incident: ['bug', 'stoerung', 'fault'],
    request: ['servicerequest', 'anfrage', 'feature', 'featurerequest'],
    task: ['aufgabe', 'story'],
    ...THING_VALUES.type,
  },
  role: {
    supervisor: ['manager', 'teamlead'],
    agent: ['user', 'staff', 'enduser'],
    light_agent: ['light', 'collaborator'],
  },
  visibility: {
    public: ['everyone', 'all', 'anonymous', 'offentlich', 'alle'],
    customers: ['signedin', 'loggedin', 'registered', 'users', 'kunden'],
    internal: ['agents', 'private', 'staff', 'intern'],
  },
  source: THING_VALUES.source,
  rating: THING_VALUES.rating,
  usage_type: THING_VALUES.usage_type,
  author_type: { agent: ['user', 'staff'], requester: ['customer', 'enduser', 'contact', 'client'] },
};

/** The value that a text stands for; null where nobody knows. */
export function valueFor(field: string, allowed: readonly string[], said: string): string | null {
  const plain = plainName(said);
  const exact = allowed.find((value) => plainName(value) === plain);
  if (exact !== undefined) return exact;
  const known = Object.entries(VALUES[field] ?? {}).find(
    ([value, words]) => allowed.includes(value) && words.includes(plain),
  );
  return known ? known[0] : null;
}
