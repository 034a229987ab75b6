/** Die Wörter der ersten Schritte im Dashboard, seiner Befehlspalette und seiner Tastenkürzel. */
import type * as English from '../en/start.ts'

export const firstSteps: typeof English.firstSteps = {
  title: 'Erste Schritte',
  progress: (done, all) => `${done} von ${all} erledigt`,
  hide: 'Liste ausblenden',
  done: '(erledigt)',
  steps: {
    proof: {
      title: 'Einen Nachweis erstellen',
      why: 'Signieren Sie einen Text. Jeder kann prüfen, dass er von Ihnen ist.',
    },
    gate: { title: 'Ein Gate erstellen', why: 'Legen Sie fest, wer hineinkommt und was man bekommt.' },
    share: { title: 'Ein Gate teilen', why: 'Senden Sie den Link denen, die Sie einlassen wollen.' },
    connect: {
      title: 'Ein Programm oder einen Assistenten verbinden',
      why: 'Erstellen Sie einen Zugriffsschlüssel oder melden Sie sich im Assistenten an.',
    },
    backup: {
      title: 'Sicherungen einrichten',
      why: 'Kopieren Sie den Datenordner. Dann kostet eine defekte Platte nichts.',
    },
  },
  backupDone: 'Das ist erledigt',
}

export const palette: typeof English.palette = {
  title: 'Seite öffnen oder Befehl ausführen',
  hint: 'Seiten und Befehle suchen',
  list: 'Seiten und Befehle',
  count: (count) => (count === 1 ? '1 Treffer' : `${count} Treffer`),
  searchProofs: (text) => `In Ihren Nachweisen nach „${text}“ suchen`,
  makeProof: 'Einen Nachweis erstellen',
  makeGate: 'Ein Gate erstellen',
  guides: 'Anleitungen öffnen',
  reference: 'API-Referenz öffnen',
  shortcuts: 'Tastenkürzel zeigen',
}

export const shortcuts: typeof English.shortcuts = {
  title: 'Tastenkürzel',
  everywhere: 'Auf jeder Seite',
  inLists: 'In Listen',
  palette: 'Seite öffnen oder Befehl ausführen',
  help: 'Diese Liste zeigen',
  search: 'In Ihren Nachweisen suchen',
  close: 'Fenster schließen',
  move: 'Zu einer anderen Zeile',
  ends: 'Zur ersten oder letzten Zeile',
  open: 'Zeile öffnen',
  choose: 'Zeile auswählen',
  range: 'Mehr Zeilen auswählen',
  all: 'Alle Zeilen auswählen',
  clear: 'Auswahl aufheben',
}
