/** Die Wörter der Seite des Dashboards, seines Rahmens und der gemeinsamen Teile seiner Ansichten. */
import type * as English from '../en/dashboard.ts'

export const dashboardPage: typeof English.dashboardPage = {
  loading: 'Lade …',
  noScript: 'Das Dashboard braucht JavaScript. Ohne JavaScript nutzen Sie die Befehle von Proofgate oder die API.',
}

export const viewTitles: typeof English.viewTitles = {
  '/': 'Nachweise',
  '/shared-with-me': 'Mit mir geteilt',
  '/gates': 'Gates',
  '/gates/new': 'Neues Gate',
  '/gates/:gateId': 'Gate',
  '/payments': 'Zahlungen',
  '/keys': 'Zugriffsschlüssel',
  '/apps': 'Verbundene Apps',
  '/secrets': 'Geheimnisse',
  '/wallets': 'Wallets',
  '/sessions': 'Sitzungen',
  '/operator': 'Zustand',
  '/operator/limits': 'Anfragelimits',
  '/operator/catalog': 'Anbieter',
  '/operator/audit': 'Protokoll',
  '/operator/numbers': 'Zahlen',
}

export const dashboard: typeof English.dashboard = {
  notFound: 'Seite nicht gefunden',
  notFoundLead: 'Das Dashboard hat unter dieser Adresse keine Seite.',
  skip: 'Zum Inhalt springen',
  menu: 'Menü',
  dashboard: 'Dashboard',
  search: 'Suchen',
  paletteHint: 'Wählen Sie mit den Pfeiltasten und drücken Sie die Eingabetaste.',
  yours: 'Ihre Seiten',
  operator: 'Betreiber',
  signedInAs: 'Angemeldet als',
  reference: 'API-Referenz',
  signOut: 'Abmelden',
  language: 'Sprache',
  close: 'Schließen',
  cancel: 'Abbrechen',
  copy: 'Kopieren',
  onlyHere: 'Diese Adresse funktioniert nur auf diesem Computer.',
  copyCommand: 'Befehl kopieren',
  copied: 'Kopiert',
  copyByHand: 'Bitte von Hand kopieren',
  copyValue: (value) => `${value} kopieren`,
  optional: 'optional',
  loading: 'Lade',
  tryAgain: 'Erneut versuchen',
  justNow: 'gerade eben',
  inAMoment: 'gleich',
  claims: 'Nachweis mehrerer Aussagen',
  leave: (what) => `${what} Trotzdem verlassen?`,
  switchDrops:
    'Beim Wechsel der Sprache lädt die Seite neu. Was Sie eingegeben und nicht gespeichert haben, geht verloren. Trotzdem wechseln?',
  leaveDrafts:
    'Ihre Entwürfe von Gates enthalten Texte von Belohnungen oder Wallets von Gästen. Das Abmelden löscht sie aus diesem Browser. Der Rest der Entwürfe bleibt. Abmelden?',
}

export const sessionNotice: typeof English.sessionNotice = {
  gone: 'Ihre Sitzung ist abgelaufen. Ihre Eingaben stehen noch auf dieser Seite.',
  somebodyElse:
    'In einem anderen Tab hat sich jemand anders angemeldet. Sie können diese Seite noch lesen, aber nichts ändern.',
  signIn: 'Melden Sie sich in einem neuen Tab an',
  comeBack: ' und kommen Sie dann hierher zurück.',
}

export const slowness: typeof English.slowness = {
  slow: 'Das dauert länger als sonst.',
  verySlow: 'Der Server hat noch nicht geantwortet.',
  slowChange: 'Der Server arbeitet noch an Ihrem Auftrag.',
  verySlowChange:
    'Der Server hat noch nicht geantwortet. Sie können weiter warten oder aufhören. Er führt den Auftrag vielleicht trotzdem aus.',
  stopWaiting: 'Nicht mehr warten',
}

export const failure: typeof English.failure = {
  unread: 'Der Server ist nicht erreichbar. Diese Seite versucht es weiter.',
  unsure:
    'Der Server ist nicht erreichbar. Vielleicht ist die Änderung trotzdem geschehen. Sehen Sie gleich noch einmal nach.',
  page: 'Auf dieser Seite ist etwas schiefgegangen. Laden Sie sie neu.',
  tooMany: (seconds) => `Zu viele Anfragen. Warten Sie ${seconds} Sekunden und versuchen Sie es dann noch einmal.`,
}

export const walletLabels: typeof English.walletLabels = {
  add: (wallet) => `${wallet} benennen`,
  change: (wallet) => `Namen von ${wallet} ändern`,
  label: (wallet) => `Name für ${wallet}`,
  hint: 'Nur Sie sehen ihn. Leer gelassen wird er entfernt.',
  save: 'Speichern',
  saved: 'Der Name ist gespeichert.',
  removed: 'Der Name ist entfernt.',
  ensName: 'ENS-Name',
}
