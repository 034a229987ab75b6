/** The form of ownership-basic: a text, a file, or the address of something public. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { parseWebUrl } from '../../web-url.ts'
import { type Asked, FormFault, keepPresent, readBytes, type VerifierForm } from '../form.ts'

const writeHex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Larger files are not read into a page. */
const fileMaxBytes = 200_000_000

export const makeForm = ({ person, fixed }: Asked): VerifierForm => ({
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
      hint: 'Whoever may see the proof can then read the text. Otherwise only its hash is kept.',
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
    if (!file) return keepPresent({ owner, content, reference })
    const contentHash = `0x${writeHex(keccak_256(await readBytes(file, 'file', fileMaxBytes)))}`
    const about = keepPresent({
      type: 'file',
      name: file.name.slice(0, 255),
      mime: file.type.slice(0, 100),
      size: file.size,
    })
    return keepPresent({ owner, contentHash, contentType: file.type.slice(0, 100), reference: reference ?? about })
  },
  options: (values) => ({ storeOriginalContent: values.ticked('store') && values.given('content') !== undefined }),
})

const guessKind = (id: string): string => (/^https?:/i.test(id) ? 'url' : /^ipfs:/i.test(id) ? 'ipfs' : 'other')
