/** Articles of the demo workspace, by the category they stand in (see the categories that new workspaces begin with). */
export const DEMO_ARTICLES = [
  {
    category: 0,
    title: 'Connect to the office VPN',
    tags: 'vpn,network',
    is_pinned: true,
    body: `Use the VPN when you work from home or from a hotel.

## Before you begin

You need your user name, your password and the *authenticator app* on your phone.

## Steps

1. Open **Network Connect** and choose the profile \`office\`.
2. Sign in with your user name and password.
3. Confirm the number that the app shows.

## It does not connect

Check that other web pages open. Hotels often want you to accept their terms first. If the window stays at 98 %, restart
the computer and try again; the driver of the virtual network adapter may have been updated.`,
  },
  {
    category: 0,
    title: 'Mit dem VPN verbinden',
    language: 'de',
    translates: 'Connect to the office VPN',
    tags: 'vpn,netzwerk',
    body: `Das VPN wird gebraucht, wenn Sie von zu Hause oder aus einem Hotel arbeiten.

## Schritte

1. **Network Connect** öffnen und das Profil \`office\` wählen.
2. Mit Benutzername und Passwort anmelden.
3. Die Zahl bestätigen, die die App auf dem Telefon anzeigt.

## Keine Verbindung

Prüfen Sie, ob sich andere Webseiten öffnen lassen. Hotels verlangen oft, dass man zuerst ihren Bedingungen zustimmt.`,
  },
  {
    category: 1,
    title: 'Reset a forgotten password',
    tags: 'password,account',
    body: `Passwords can be reset at any time, without calling us.

1. On the sign-in page choose **Forgot password**.
2. Enter your e-mail address; the link that arrives is valid for one hour.
3. Choose a new password of at least 14 characters. A sentence is easier to remember than a riddle.

The old password stops working at once, also on your phone: change it there, or the account locks itself after ten
attempts.`,
  },
  {
    category: 1,
    title: 'The printer says "paper jam", but there is none',
    tags: 'printer,hardware',
    body: `Small pieces of paper hide behind the rear flap.

- Switch the printer off and open the **rear flap**, not only the tray.
- Turn the green wheel towards you and take out what appears.
- Close everything, wait ten seconds, switch it on again.

If it still complains, the sensor is dirty: open a ticket with the number on the sticker (for example \`AST-000004\`).`,
  },
  {
    category: 2,
    title: 'What our service levels mean',
    tags: 'sla',
    visibility: 'customers',
    body: `| Priority | First answer | Solution |
| --- | --- | --- |
| urgent | 30 minutes | 4 hours |
| high | 1 hour | 8 hours |
| medium | 4 hours | 24 hours |
| low | 8 hours | 72 hours |

While we wait for you the clock stands still.`,
  },
  {
    category: 2,
    title: 'How we hand over a ticket at the end of a shift',
    status: 'draft',
    visibility: 'internal',
    tags: 'process',
    body: `Write an internal comment with three lines: what is known, what was tried, what comes next. Then assign the ticket.`,
  },
] as const;

/** Assets of the demo workspace; `holder` is the position of the agent who has it. */
export const DEMO_ASSETS = [
  {
    name: 'Notebook Ada',
    type: 'laptop',
    manufacturer: 'Lenovo',
    model: 'T14 Gen 5',
    serial_number: 'PF-4X21A',
    holder: 0,
    purchase_cost: 1549,
    warranty: 400,
  },
  {
    name: 'Notebook pool 1',
    type: 'laptop',
    manufacturer: 'Lenovo',
    model: 'T14 Gen 5',
    serial_number: 'PF-4X21B',
    usage_type: 'loaner',
    purchase_cost: 1549,
    warranty: 400,
  },
  {
    name: 'Core switch',
    type: 'network',
    manufacturer: 'Cisco',
    model: 'C9300-48P',
    serial_number: 'FOC2231L0QX',
    hostname: 'sw-core-01',
    ip_address: '10.0.0.2',
    location: 'Server room',
    impact: 'high',
    purchase_cost: 6890.5,
    warranty: 20,
  },
  {
    name: 'Printer floor 3',
    type: 'printer',
    manufacturer: 'HP',
    model: 'E45028',
    serial_number: 'CNBRS4D0XK',
    hostname: 'prn-03',
    location: 'Floor 3',
    status: 'in_repair',
    purchase_cost: 799.9,
    warranty: -30,
  },
  {
    name: 'Monitor 27"',
    type: 'monitor',
    manufacturer: 'Dell',
    model: 'U2724D',
    serial_number: 'CN-0V7M1',
    holder: 1,
    purchase_cost: 389,
    warranty: 700,
  },
  {
    name: 'Design suite',
    type: 'license',
    vendor: 'Creative Works',
    order_number: 'PO-2291',
    holder: 2,
    purchase_cost: 659.88,
    warranty: 60,
  },
] as const;

/** Deals of the demo workspace; `stage` is the position in the pipeline. */
export const DEMO_DEALS = [
  { title: 'Service desk for 200 people', value: 48_000, stage: 2, next_step: 'Send the revised quote' },
  { title: 'Extended support for the Milan office', value: 12_500, stage: 1, next_step: 'Demo on Thursday' },
  { title: 'Asset inventory on site', value: 7_400, stage: 0, next_step: 'Call back' },
  { title: 'Migration of the old ticket archive', value: 18_900, stage: 3, next_step: 'Negotiate the start' },
] as const;

/** Leads of the demo workspace. */
export const DEMO_LEADS = [
  {
    name: 'Grace Okafor',
    email: 'grace@northwind.example',
    company_name: 'Northwind',
    source: 'website',
    status: 'new',
    rating: 'warm',
    score: 40,
  },
  {
    name: 'Jan Kowalski',
    email: 'jan@baltictrade.example',
    company_name: 'Baltic Trade',
    source: 'event',
    status: 'contacted',
    rating: 'hot',
    score: 70,
    estimated_value: 9_600,
  },
  {
    name: 'Lucia Rossi',
    email: 'lucia@studiorossi.example',
    company_name: 'Studio Rossi',
    source: 'referral',
    status: 'qualified',
    rating: 'hot',
    score: 85,
    estimated_value: 15_000,
  },
] as const;

/** Meetings of the demo workspace; `offset` in days from now, `time` in UTC. */
export const DEMO_MEETINGS = [
  { title: 'Kick-off', offset: -1, time: '09:00', status: 'scheduled' },
  { title: 'Review of open tickets', offset: 3, time: '11:00', status: 'pending' },
  { title: 'Demo for the Milan office', offset: 4, time: '13:00', status: 'scheduled' },
] as const;

/** What is offered in the demo quotes. */
export const DEMO_QUOTE_ITEMS = [
  {
    name: 'Set-up of the service desk',
    description: 'Workshops, configuration, import of existing tickets',
    quantity: 5,
    unit: 'days',
    unit_price: 1_120,
    tax_rate: 19,
  },
  {
    name: 'Licence per agent and month',
    sku: 'LIC-AGENT',
    quantity: 240,
    unit: 'months',
    unit_price: 29.9,
    discount_percent: 10,
    tax_rate: 19,
  },
  { name: 'Handbook, printed', sku: 'BOOK-1', quantity: 12, unit: 'pieces', unit_price: 24.5, tax_rate: 7 },
] as const;
