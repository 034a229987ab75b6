/** Die Wörter um jede Seite und auf Seiten ohne Skript. */
import type * as English from '../en/pages.ts'

export const frame: typeof English.frame = {
  language: 'Sprache',
}

export const startPage: typeof English.startPage = {
  title: 'Proofgate',
  description: 'Ein Proofgate-Server: aus signierten Aussagen werden tragbare Nachweise.',
  heading: 'Nachweise mit Ihrer Wallet',
  lead: 'Dieser Server prüft, was Sie signieren, und gibt Ihnen einen Nachweis. Jeder kann den Nachweis prüfen.',
  gates:
    'Ein Gate verlangt Nachweise und gibt allen, die sie haben, etwas dafür: zum Beispiel einen Link oder einen Code.',
  buildGate: 'Gate erstellen',
  signIn: 'Anmelden',
  makeProof: 'Nachweis erstellen',
  guides: 'Anleitungen',
  reference: 'API-Referenz',
  widget: 'Widget',
  forDevelopers: 'Für Entwickler:',
  operator: (name) => ['Betrieben von ', name, '.'],
  contact: 'Betreiber kontaktieren',
}

/** Über den Anleitungen, die es nur auf Englisch gibt. */
export const guidesPage: typeof English.guidesPage = {
  onlyEnglish: 'Diese Anleitungen gibt es bisher nur auf Englisch.',
}

/** Über der Referenz der API, die es nur auf Englisch gibt. */
export const referencePage: typeof English.referencePage = {
  onlyEnglish: 'Diese Referenz gibt es nur auf Englisch.',
}

export const refusalPage: typeof English.refusalPage = {
  headings: {
    NOT_FOUND: 'Seite nicht gefunden',
    RATE_LIMIT_EXCEEDED: 'Zu viele Anfragen',
    INTERNAL_ERROR: 'Etwas ist schiefgegangen',
    SERVICE_UNAVAILABLE: 'Etwas ist schiefgegangen',
    STORAGE_FULL: 'Dieser Server kann nichts Neues speichern',
    other: 'Das hat nicht geklappt',
  },
  notFound: 'Unter dieser Adresse gibt es keine Seite. Prüfen Sie, ob Sie die ganze Adresse kopiert haben.',
  tooOften: (seconds) =>
    `Dieser Browser oder ein anderer in Ihrem Netz hat zu viele Seiten geöffnet. Warten Sie ${seconds > 0 ? `${seconds} Sekunden` : 'eine Minute'} und laden Sie die Seite dann neu.`,
  requestId: (id) => `Anfrage ${id}`,
  toStart: 'Zur Startseite',
}

export const unusablePage: typeof English.unusablePage = {
  heading: 'Dieser Link funktioniert nicht',
  lead: 'Der Link, der Sie hierher geführt hat, ist falsch. Es ist nichts geschehen, und Sie wurden nicht weitergeleitet.',
  help: 'Gehen Sie zurück und beginnen Sie neu. Geschieht es wieder, sagen Sie es der Person, von der der Link stammt.',
  forMaker: 'Für die Person, von der der Link stammt',
}
