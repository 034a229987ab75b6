/** Die Wörter für das Aussehen einer Kasse. */
import type * as English from '../en/gate-appearance.ts'

export const gateAppearance: typeof English.gateAppearance = {
  tab: 'Aussehen',
  lead: 'So sehen andere Sie an der Kasse. Änderungen gelten sofort und ergeben keine neue Version.',
  seller: 'Name des Verkäufers',
  sellerHint: 'Ohne Namen steht dort die Adresse Ihrer Wallet. Ein Nachweis Ihrer Domain zeigt auch die Domain.',
  color: 'Farbe der Marke',
  colorHint: 'Knöpfe und Links der Kasse haben diese Farbe.',
  adjusted: 'Text auf dieser Farbe wäre schwer zu lesen. Die Kasse zeigt sie im hellen Design dunkler.',
  dropColor: 'Die übliche Farbe verwenden',
  save: 'Aussehen speichern',
  saved: 'Die Kasse sieht jetzt so aus.',
  picture: 'Bild',
  pictureShown: 'Das Bild an der Kasse',
  choosePicture: 'Ein Bild wählen',
  pictureHint: 'Ein quadratisches Bild steht neben Ihrem Namen, ein breites über dem Angebot. PNG, JPEG oder WebP.',
  noPicture: 'Ihr Browser kann diese Datei nicht als Bild lesen. Wählen Sie ein PNG, JPEG oder WebP.',
  dropPicture: 'Bild entfernen',
}
