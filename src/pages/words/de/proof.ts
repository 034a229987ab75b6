/** Die Wörter der Seite eines Nachweises. */
import type * as English from '../en/proof.ts'

export const sharedPage: typeof English.sharedPage = {
  title: 'Geteilter Nachweis',
  until: (moment) => ['Mit Ihnen durch einen Link geteilt. Der Link endet am ', moment, '.'],
  gone: 'Dieser Link funktioniert nicht',
  goneText:
    'Vielleicht ist er abgelaufen oder wurde zurückgezogen. Fragen Sie die Person, die ihn geschickt hat, nach einem neuen.',
}

export const proofPage: typeof English.proofPage = {
  notFound: 'Hier gibt es keinen Nachweis mit dieser Kennung. Prüfen Sie, ob Sie die ganze Adresse kopiert haben.',
  privateTitle: 'Ein privater Nachweis',
  description: 'Ein Nachweis auf diesem Proofgate-Server.',
  preview: (status, server) => `${status} · Geprüft von ${server}`,
  previewImported: (status, server) => `${status} · Bei ${server}`,
  several: (wallet, count) => `${wallet} hat ${count} Aussagen nachgewiesen`,
  other: (wallet, title) => `${wallet} hat nachgewiesen: ${title}`,
  says: (wallet, title) => `${wallet} gibt an: ${title}`,
  states: {
    valid: 'Bestätigt',
    notFinal: 'Bestätigt, noch nicht endgültig',
    revoked: 'Widerrufen',
    expired: 'Abgelaufen',
    superseded: 'Ersetzt',
    partial: 'Teilweise bestätigt',
    imported: 'Importiert, nicht geprüft',
    replaced: 'Nicht bestätigt',
  },
  valid: 'Dieser Server hat die Aussage geprüft.',
  notFinal:
    'Dieser Server hat die Aussage geprüft. Der gelesene Block kann noch ersetzt werden, darum beobachtet ihn der Server.',
  revoked: (at) => ['Der Inhaber hat diesen Nachweis', ...(at === undefined ? [] : [' am ', at]), ' widerrufen.'],
  expired: (at) => ['Dieser Nachweis ist', ...(at === undefined ? [] : [' am ', at]), ' abgelaufen.'],
  superseded: 'Ein neuerer Nachweis derselben Aussage hat diesen ersetzt.',
  partial: 'Ein Teil seiner Aussagen stimmt, ein Teil nicht. Siehe unten.',
  imported:
    'Ein anderer Server hat diesen Nachweis erstellt. Die Wallet hat ihn signiert, und dieser Server hat seine Aussagen nicht geprüft.',
  replaced: (mayReturn) =>
    `Die Chain hat den Block ersetzt, aus dem dieser Nachweis gelesen wurde. Beim zweiten Lesen stimmte die Aussage nicht.${mayReturn ? ' Er zählt wieder, wenn seine Transaktion zurückkommt.' : ''}`,
  countsNoMore: ' Er zählt nicht mehr.',
  checkedBy: (server, at) => [`Geprüft von ${server} am `, at],
  importedBy: (server, at) => [`Importiert in ${server} am `, at],
  unsigned: 'Keine Wallet hat diesen Nachweis signiert. Er zählt nur auf diesem Server.',
  privateLead: 'Nur sein Inhaber kann ihn lesen, und alle, mit denen er ihn teilt.',
  sharedWithYou: 'Sein Inhaber hat ihn mit Ihnen geteilt.',
  notYours: 'Dieser Nachweis gehört nicht zu Ihrer Wallet, und niemand hat ihn mit Ihnen geteilt.',
  isItYours: (signIn) => ['Gehört er Ihnen, oder hat ihn jemand mit Ihnen geteilt? ', signIn, ', um ihn zu sehen.'],
  signIn: 'Melden Sie sich an',
  who: 'Wallet',
  about: 'Über die Wallet',
  made: 'Erstellt',
  countsUntil: 'Läuft ab',
  state: (title, state) => `${title}: ${state}`,
  rowStates: {
    holds: 'bestätigt',
    expired: 'abgelaufen',
    revoked: 'widerrufen',
    failed: 'nicht bestätigt',
    imported: 'importiert, nicht geprüft',
  },
  content: 'Inhalt',
  copyContent: 'Inhalt kopieren',
  ipfs: 'Auf IPFS',
  snapshot: 'Abbild',
  chains: 'Auf Chains',
  chain: (name) => `Chain ${name}`,
  chainStates: {
    waiting: 'wartet auf das Senden',
    sent: 'gesendet, noch in keinem Block',
    mined: 'in einem Block, noch nicht endgültig',
    confirmed: 'endgültig',
    failed: 'fehlgeschlagen',
  },
  moreFacts: (count, isAll) => `${count} weitere${isAll ? '' : ' oder noch mehr'} im JSON`,
  more: 'Und mehr',
  details: 'Einzelheiten',
  id: 'Kennung',
  did: 'DID der Wallet',
  copyValue: 'Kopieren',
  use: 'Teilen und einbetten',
  link: 'Link',
  copyLink: 'Link kopieren',
  showQr: 'QR-Code zeigen',
  qr: 'QR-Code mit dem Link zu diesem Nachweis',
  qrHint: 'Ein Telefon, das ihn scannt, öffnet diese Seite. Sie können ihn drucken.',
  badge: 'Ein Badge für Ihre Seite',
  copyBadge: 'Badge kopieren',
  json: 'Dieser Nachweis als JSON',
}

export const proofActions: typeof English.proofActions = {
  heading: 'Dieser Nachweis gehört Ihnen',
  inDashboard: (link, isPrivate) => [
    link,
    isPrivate
      ? ': Dort teilen Sie ihn durch einen Link, sehen, wer ihn lesen kann, und finden die tragbare Kopie, falls Sie eine aufbewahren.'
      : ': Dort ändern Sie, wer ihn sehen kann, und finden die tragbare Kopie, falls Sie eine aufbewahren.',
  ],
  openInDashboard: 'Im Dashboard öffnen',
  share: 'Mit einer anderen Wallet teilen',
  viewer: 'Wallet, die ihn lesen darf',
  viewerHint: 'Die Person mit dieser Wallet sieht alles, was Sie hier sehen.',
  howLong: 'Dauer',
  forever: 'Bis Sie das Teilen beenden',
  shareNow: 'Teilen',
  revoke: 'Widerrufen',
  revokeLead:
    'Ein widerrufener Nachweis zählt nicht mehr, und Sie können ihn nicht zurückholen. Seine Kennung bleibt sichtbar.',
  revokeNow: 'Diesen Nachweis widerrufen',
  revokeSure: 'Endgültig widerrufen',
  noScript: 'Teilen und Widerrufen brauchen JavaScript, und das ist in diesem Browser ausgeschaltet.',
  notDone: 'Nicht erledigt',
  revoking: 'Widerrufe …',
  noViewer: 'Geben Sie die Adresse der Wallet ein, die ihn lesen darf.',
  sharing: 'Teile …',
  shared: (wallet) => `Sie teilen ihn mit ${wallet}. Dieser Link öffnet ihn nach dem Anmelden mit dieser Wallet:`,
}

export const proofCheck: typeof English.proofCheck = {
  heading: 'Selbst prüfen',
  lead: 'Wer diesen Nachweis erstellt hat, besitzt eine tragbare Kopie davon, eine Datei. Wählen Sie diese Datei. Die Seite prüft sie hier und sendet nichts.',
  checkKept: 'Aufbewahrte Kopie prüfen',
  keptHint:
    'Dieser Server bewahrt eine verschlüsselte Kopie für Sie auf. Diese Seite holt die Kopie und prüft sie hier.',
  fetching: 'Ihre Kopie wird geholt …',
  notFetched: 'Ihre Kopie konnte nicht geholt werden.',
  noCopy:
    'Sie sind abgemeldet, oder die Kopie ist weg. Melden Sie sich an und drücken Sie die Taste noch einmal, oder wählen Sie die Datei.',
  file: 'Tragbarer Nachweis',
  fileHint: 'Eine JSON-Datei. Sie können vorher offline gehen.',
  noScript: 'Die Prüfung auf dieser Seite braucht JavaScript, und das ist in diesem Browser ausgeschaltet.',
  checking: 'Prüfe …',
  valid: (wallet) => ['Gültig. Die Wallet ', wallet, ' hat genau dies signiert.'],
  invalid: 'Nicht gültig.',
  wrongId: 'Die Kennung passt nicht zu dem, was signiert wurde.',
  wrongSignature: 'Die Wallet hat dies nicht signiert.',
  wrongDid: 'Die DID passt nicht zur Wallet.',
  undecided:
    'Nicht entschieden. Nur die Chain dieser Contract-Wallet kann sagen, ob sie signiert hat. Verwenden Sie den Befehl unten.',
  otherProof: 'Diese Datei ist ein gültiger Nachweis, aber nicht der auf dieser Seite.',
  unreadable:
    'Diese Datei ist kein tragbarer Nachweis. Wählen Sie die JSON-Datei, die es beim Erstellen des Nachweises gab.',
  tooLarge: 'Diese Datei ist zu groß für einen tragbaren Nachweis.',
  byCommand: 'Oder mit der Kommandozeile:',
  copyCommand: 'Befehl kopieren',
  byHand: 'Oder mit einem anderen Werkzeug, in drei Schritten (CAIP-380):',
  steps: [
    'Schreiben Sie die sechs signierten Zeilen: Titel, Wallet, Chain, Verifier, die Daten als kanonisches JSON, die Zeit.',
    'Prüfen Sie, ob die Signatur über diese Zeilen von der Wallet ist.',
    'Berechnen Sie die Kennung aus Wallet, Verifiern, Daten, Zeit und Chain und vergleichen Sie sie.',
  ],
  revokedSince: 'Ob er inzwischen widerrufen wurde, sagt dieser Server:',
}

export const passPage: typeof English.passPage = {
  title: 'Ein Pass einer Gästeliste',
  lead: 'Das ist kein Nachweis. Eine Wallet auf der Gästeliste eines Gates zeigt ihn dort vor.',
  valid: 'Gültig',
  withdrawn: 'Zurückgezogen',
  withdrawnLead: 'Die Wallet steht nicht mehr auf der Liste. Der Pass öffnet nichts. Fragen Sie den Inhaber des Gates.',
}
