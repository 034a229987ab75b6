/** The form of ai-content-moderation: a text or a picture. */
import { FormFault, readBytes, type VerifierForm } from '../form.ts'

const imageMaxBytes = 300_000

const writeBase64 = (bytes: Uint8Array): string => {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
}

const imageTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif']

export const makeForm = (): VerifierForm => ({
  submit: 'Check now',
  fields: [
    { name: 'text', label: 'Text', kind: 'area', maxLength: 51_200 },
    {
      name: 'image',
      label: 'Or a picture',
      kind: 'file',
      accept: imageTypes.join(','),
      hint: 'JPEG, PNG, WebP or GIF, at most 300 kB.',
    },
  ],
  async data(values) {
    const [text, image] = [values.given('text'), values.file('image')]
    if (text !== undefined && image) throw new FormFault('Give a text or a picture, not both.', 'text')
    if (text !== undefined) return { content: text, contentType: 'text/plain' }
    if (!image) throw new FormFault('Give a text or a picture: there must be something to check.', 'text')
    if (!imageTypes.includes(image.type)) throw new FormFault('The picture must be JPEG, PNG, WebP or GIF.', 'image')
    return { content: writeBase64(await readBytes(image, 'image', imageMaxBytes)), contentType: image.type }
  },
})
