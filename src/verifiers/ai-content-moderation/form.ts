/** The form of ai-content-moderation: a text or a picture. */
import { FormFault, readBytes, type VerifierForm } from '../form.ts'
import { form as words } from './words/en.ts'

const imageMaxBytes = 300_000

const writeBase64 = (bytes: Uint8Array): string => {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
}

const imageTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif']

export const makeForm = (): VerifierForm => ({
  submit: words.submit,
  fields: [
    { name: 'text', label: words.text, kind: 'area', maxLength: 51_200 },
    {
      name: 'image',
      label: words.image,
      kind: 'file',
      accept: imageTypes.join(','),
      hint: words.imageHint,
    },
  ],
  async data(values) {
    const [text, image] = [values.given('text'), values.file('image')]
    if (text !== undefined && image) throw new FormFault(words.both, 'text')
    if (text !== undefined) return { content: text, contentType: 'text/plain' }
    if (!image) throw new FormFault(words.nothing, 'text')
    if (!imageTypes.includes(image.type)) throw new FormFault(words.wrongType, 'image')
    return {
      content: writeBase64(await readBytes(image, { field: 'image', most: imageMaxBytes, tooLarge: words.tooLarge })),
      contentType: image.type,
    }
  },
})
