/** The forms of verifiers that look at content: a text, a file, a picture. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { parseWebUrl } from '../../web-url.ts'
import { type Asked, FormFault, present, type VerifierForm } from './verifier-form.ts'

const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Larger files are not read into a page. */
const fileMaxBytes = 200_000_000
const imageMaxBytes = 300_000

async function bytesOf(file: File, field: string, most: number): Promise<Uint8Array> {
  if (file.size > most) throw new FormFault(`The file is larger than ${Math.floor(most / 1000)} kB.`, field)
  return new Uint8Array(await file.arrayBuffer())
}

const base64Of = (bytes: Uint8Array): string => {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
}

export const basic = ({ person, fixed }: Asked): VerifierForm => ({
  submit: 'Sign the claim',
  fields: [
    {
      name: 'content',
      label: 'Text',
      kind: 'area',
      maxLength: 50_000,
      hint: 'A text of your own, or leave it empty and choose a file or an address.',
    },
    { name: 'file', label: 'File', kind: 'file', hint: 'Its hash is claimed. The file itself stays on this device.' },
    {
      name: 'referenceId',
      label: 'Address',
      maxLength: 2048,
      isKept: true,
      hint: 'Of something that is public already, such as https://…',
      ...(fixed['reference.id'] === undefined ? {} : { value: fixed['reference.id'], isFixed: true }),
    },
    {
      name: 'store',
      label: 'Keep the text with the proof',
      kind: 'tick',
      hint: 'Readable for whoever sees the proof; you can also export its portable form later. Without it, only the hash is kept.',
    },
  ],
  async data(values) {
    const { address: owner } = person
    const [content, file, id] = [values.given('content'), values.file('file'), values.given('referenceId')]
    const type = fixed['reference.type']
    if (content === undefined && !file && id === undefined)
      throw new FormFault('Give a text, a file or an address: there must be something to claim.', 'content')
    if (content !== undefined && file) throw new FormFault('Give a text or a file, not both.', 'content')
    const reference = id === undefined ? undefined : { type: type ?? guessKind(id), id }
    if (reference?.type === 'url' && !parseWebUrl(reference.id))
      throw new FormFault('Write the whole web address: https://, the host, and what follows.', 'referenceId')
    if (!file) return present({ owner, content, reference })
    const contentHash = `0x${hexOf(keccak_256(await bytesOf(file, 'file', fileMaxBytes)))}`
    const about = present({
      type: 'file',
      name: file.name.slice(0, 255),
      mime: file.type.slice(0, 100),
      size: file.size,
    })
    return present({ owner, contentHash, contentType: file.type.slice(0, 100), reference: reference ?? about })
  },
  options: (values) => ({ storeOriginalContent: values.ticked('store') && values.given('content') !== undefined }),
})

const guessKind = (id: string): string => (/^https?:/i.test(id) ? 'url' : /^ipfs:/i.test(id) ? 'ipfs' : 'other')

const imageTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif']

export const moderation = (): VerifierForm => ({
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
    return { content: base64Of(await bytesOf(image, 'image', imageMaxBytes)), contentType: image.type }
  },
})
