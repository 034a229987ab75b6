/** Die Seite, die das Widget vorführt. */
import type * as English from '../en/widget-page.ts'

export const widgetPage: typeof English.widgetPage = {
  title: 'Ein Gate in Ihrer Seite',
  description: 'Zeilen, die ein Gate dieses Servers in Ihre Seite einbauen, und wie es aussieht.',
  lead: 'Fügen Sie diese drei Zeilen in Ihre Seite ein. Besucher weisen nach, was das Gate verlangt, und Ihre Seite bekommt das Ergebnis.',
  copyLines: 'Zeilen kopieren',
  looks: 'So sieht es aus',
  wrongId: 'Das ist keine Kennung eines Gates. Verwenden Sie 1 bis 80 Zeichen aus a-z A-Z 0-9 : _ -',
  hears: 'Was Ihre Seite bekommt',
  badge: (badge) => ['Das Badge dieses Nachweises: ', badge],
  copyLine: 'Zeile kopieren',
  askServer:
    'Was ein Browser sagt, kann jeder fälschen. Lassen Sie Ihren Server fragen, bevor er jemanden hineinlässt:',
  copyCommand: 'Befehl kopieren',
  own: 'Mit Ihrem Gate ausprobieren',
  gateId: 'Kennung des Gates',
  show: 'Anzeigen',
  noScript: 'Das Widget braucht JavaScript, und das ist in diesem Browser ausgeschaltet.',
}
