/** Die Wörter von Knöpfen, die kopieren. */
import type * as English from '../en/copying.ts'

export const copying: typeof English.copying = {
  copy: 'Kopieren',
  copied: 'Kopiert',
  selected: 'Markiert',
  selectedHelp: 'Dieser Browser konnte nicht kopieren. Der Text ist markiert, kopieren Sie ihn mit der Tastatur.',
  copyValue: (name) => `Kopieren: ${name}`,
  shownWhole: 'Dieser Browser konnte nicht kopieren. Der ganze Wert wird jetzt gezeigt.',
}
