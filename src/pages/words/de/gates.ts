/** Die Wörter der Gates in der Übersicht. */
import type * as English from '../en/gates.ts'

export const gates: typeof English.gates = {
  archive: {
    do: 'Archivieren',
    undo: 'Zurückholen',
    tag: 'Archiviert',
    title: 'Dieses Gate archivieren?',
    yes: 'Gate archivieren',
    effect: (gate) => [gate, ' verlässt Ihre Liste. Wählen Sie als Status „Archiviert“, um es wiederzufinden.'],
    staysActive: 'Das Gate bleibt aktiv und lässt weiter ein. Pausieren Sie es, um es zu schließen.',
    staysClosed: 'Sonst ändert sich nichts. Das Gate bleibt geschlossen.',
    done: 'Das Gate ist archiviert.',
    undone: 'Das Gate ist wieder in Ihrer Liste.',
    allArchived: 'Alle Ihre Gates sind archiviert. Wählen Sie „Archiviert“, um sie zu sehen.',
  },
}
