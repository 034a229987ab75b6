/** The words of the editor for the look of the page of a gate. */

export const gateAppearance = {
  tab: 'Appearance',
  lead: 'This is how people see you on the page of the gate. Changes show at once and make no new version.',
  seller: 'Your name',
  sellerHint: 'Without a name people see the address of your wallet. A proof of your domain shows the domain, too.',
  color: 'Brand color',
  colorHint: 'Buttons and links of the page have this color.',
  adjusted: 'Text on this color would be hard to read. The page shows it darker in the light theme.',
  dropColor: 'Use the usual color',
  save: 'Save the appearance',
  saved: 'The page of the gate has its new look.',
  picture: 'Picture',
  pictureShown: 'The picture on the page of the gate',
  choosePicture: 'Choose a picture',
  pictureHint:
    'A square picture stands beside your name, and a wide one above the name of the gate. PNG, JPEG or WebP.',
  noPicture: 'This file is no picture that your browser can read. Choose a PNG, JPEG or WebP.',
  dropPicture: 'Remove the picture',
}
