/** Words of the generated data. Lists that are drawn from unevenly have their commonest word first. */
const words = (text: string): readonly string[] => text.trim().split(/\s*\|\s*/);

export const THINGS = words(`
  laptop|vpn|printer|outlook|password|monitor|wifi|teams|docking station|mailbox|account|shared drive|calendar|keyboard|phone
  |browser|excel|onedrive|sharepoint|headset|scanner|webcam|mouse|license|token|server|database|desktop|tablet|projector
  |firewall|switch|router|backup|certificate|domain|gateway|proxy|sandbox|antivirus|bitlocker|firmware|driver|update|patch
  |citrix session|remote desktop|conference room display|badge reader|door lock|access point|load balancer|dns record
  |mailing list|distribution group|signature|voicemail|call queue|softphone|barcode gun|label printer|plotter|kiosk|thin client
  |hypervisor|storage array|tape library|snapshot|message queue|webhook|dashboard|report|invoice export|payroll import
  |time sheet|expense form|purchase order|crm record|knowledge article|chat widget|single sign-on|authenticator|yubikey
  |smart card|usb hub|charger|battery|touchpad|hinge|fan|power supply|memory module|solid state drive|graphics card
`);

export const SYMPTOMS = words(`
  is not working|cannot connect|is very slow|asks for credentials again and again|shows an error|keeps disconnecting|does not start
  |freezes|is missing|was locked|needs to be replaced|does not sync|crashes on launch|loses settings after restart|is out of date
  |reports access denied|times out|makes a strange noise|prints blank pages|does not charge|shows a black screen|has expired
  |cannot be found|drops calls|rejects the certificate|duplicates entries|sends nothing|is stuck in a loop|overheats|flickers
  |reports low disk space|refuses to update|lost its connection|shows wrong totals|was deleted by mistake|is read only
`);

export const REQUESTS = words(`
  Please reset the|New|Access to the|Please install the|Replacement for the|Question about the|Please move the|Upgrade of the
  |Please set up the|Please remove the|Second|Training for the|Quote for a new|Please extend the
`);

export const PLACES = words(`
  at my desk|at home|in the office|in the meeting room|on the third floor|at reception|in the warehouse|on the train|in the Milan office
  |at the Berlin site|in the finance department|in the lab|in the call centre|at the customer's site|on the shop floor
  |in building C|in the canteen|in the data centre|at the Lisbon branch|in the archive
`);

export const SINCE = words(`
  since this morning|since yesterday|since the last update|for a week now|after the password change|after the move|since Monday
  |after the power cut|since I came back from leave|after lunch|since the migration|after a restart|every afternoon|at random times
`);

export const SENTENCES = words(`
  I have restarted twice and nothing changed.|It worked fine last week.|My colleagues have the same problem.
  |This blocks my work, please help soon.|There is no hurry, but it is annoying.|I attach what I saw on the screen.
  |Could someone call me back today?|I already tried the steps in the knowledge base.|The whole team is affected.
  |It only happens when I am on the network cable.|It only happens over wireless.|Other applications work normally.
  |I need it for a presentation tomorrow.|The manufacturer's support page did not help.|My manager has approved this request.
  |The old one can be collected at any time.|I do not have administrator rights.|I am not sure when it started.
  |A reboot helps for about an hour.|Please charge it to our cost centre.|I would like to understand why this happens.
  |The previous ticket about this was closed too early.|Remote access to my machine is fine.|Thank you for your help.
`);

export const QUALIFIERS = words(`
  new|old|shared|second|corporate|personal|wireless|external|internal|temporary|encrypted|default|primary|spare|leased|virtual|mobile|regional
  |unmanaged|archived|legacy|pilot|redundant|certified
`);

/** Each of these is found in about twenty tickets of a large seeding, and nowhere else. */
export const RARE_WORDS = words(`
  teleprinter|gyroscope|zirconium|oscilloscope|quartzite|hovercraft|xylophone|kaleidoscope|mimeograph|stroboscope|planetarium
  |thermocouple|dirigible|magnetometer|harpsichord|centrifuge
`);

export const REPLIES = words(`
  Thank you for your message, we are looking into it.|Could you restart it and try once more?|We have reset the settings on our side.
  |A technician will come by this afternoon.|The replacement has been ordered.|Please send us the exact text of the error.
  |The vendor has confirmed the problem and is working on a fix.|This should work again now, please confirm.
  |We have extended your permissions.|The update will be installed tonight.|I have moved this to the network team.
  |The part has arrived and will be fitted tomorrow.|We could not reproduce it, can you show us in a call?
`);

export const ANSWERS = words(`
  Thank you, it works again.|It still does not work.|The error has come back.|I am available after two o'clock.|Here is the text of the error.
  |That helped, but only for a while.|Yes, please go ahead.|My colleague sees the same.|Any news on this?
`);

export const NOTES = words(`
  Checked the logs, nothing unusual.|Same cause as last month's outage.|Warranty runs out soon.|User prefers a call.
  |Waiting for the vendor.|Escalate when it happens again.
`);

export const TAGS = words(`
  hardware|network|email|access|software|urgent-fix|vip|onboarding|mobile|security|printing|backup|remote|billing|facilities|training
  |offboarding|license|wireless|telephony
`);

export const CATEGORIES = words(`
  Hardware|Software|Network|Access and accounts|Email and calendar|Telephony|Printing|Security|Purchasing|Onboarding|Facilities|Other
`);

export const TEAMS = words(`Service desk|Network|Applications|Field service`);

export const FIRST_NAMES = words(`
  Ada|Amir|Anna|Bruno|Carla|Chen|Daniel|Elena|Emma|Farid|Giulia|Hannah|Ivan|Jana|Joao|Karin|Laura|Luca|Maria|Marta|Mehmet|Nadia|Nils
  |Olga|Omar|Paula|Pedro|Priya|Rosa|Samir|Sara|Sofia|Tariq|Tomas|Ute|Viktor|Wei|Yara|Yusuf|Zoe
`);

export const LAST_NAMES = words(`
  Adler|Almeida|Bianchi|Bauer|Costa|Dubois|Eriksen|Ferrari|Fischer|Garcia|Haddad|Horvat|Ito|Jensen|Kaya|Keller|Kowalski|Laurent|Lindgren
  |Lopez|Marino|Meyer|Moreau|Nowak|Okafor|Olsen|Park|Patel|Pereira|Ricci|Rossi|Santos|Schmidt|Silva|Singh|Tanaka|Varga|Weber|Yilmaz|Zhang
`);

export const COMPANY_NAMES = words(`
  Northwind|Bluewater|Granite|Silverline|Orchard|Summit|Harbour|Redwood|Cobalt|Meridian|Lakeside|Ironbridge|Sunfield|Westgate|Pinecrest
  |Clearview|Stonehill|Brightwell|Foxglove|Kingfisher
`);

export const COMPANY_KINDS = words(
  `Logistics|Foods|Insurance|Engineering|Media|Pharma|Textiles|Energy|Retail|Consulting`,
);
