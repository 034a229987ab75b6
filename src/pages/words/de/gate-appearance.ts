/** Die Wörter für das Aussehen der Seite eines Gates. */
import type * as English from '../en/gate-appearance.ts'

export const gateAppearance: typeof English.gateAppearance = {
  tab: 'Aussehen',
  lead: 'So sehen andere Sie auf der Seite des Gates. Änderungen gelten sofort und ergeben keine neue Version.',
  seller: 'Ihr Name',
  sellerHint: 'Ohne Namen steht dort die Adresse Ihrer Wallet. Ein Nachweis Ihrer Domain zeigt auch die Domain.',
  color: 'Farbe der Marke',
  colorHint: 'Knöpfe und Links der Seite haben diese Farbe.',
  adjusted: 'Text auf dieser Farbe wäre schwer zu lesen. Die Seite zeigt sie im hellen Design dunkler.',
  dropColor: 'Die übliche Farbe verwenden',
  save: 'Aussehen speichern',
  saved: 'Die Seite des Gates sieht jetzt so aus.',
  picture: 'Bild',
  pictureShown: 'Das Bild auf der Seite des Gates',
  choosePicture: 'Ein Bild wählen',
  pictureHint:
    'Ein quadratisches Bild steht neben Ihrem Namen, ein breites über dem Namen des Gates. PNG, JPEG oder WebP.',
  noPicture: 'Ihr Browser kann diese Datei nicht als Bild lesen. Wählen Sie ein PNG, JPEG oder WebP.',
  dropPicture: 'Bild entfernen',
}
