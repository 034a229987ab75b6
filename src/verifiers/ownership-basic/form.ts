/** The form of ownership-basic: a text, a file, or the address of something public. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { parseWebUrl } from '../../web-url.ts'
import { type Asked, FormFault, keepPresent, readBytes, type VerifierForm } from '../form.ts'
import { form as words } from './words/en.ts'

const writeHex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Larger files are not read into a page. */
const fileMaxBytes = 200_000_000

export const makeForm = ({ person, fixed }: Asked): VerifierForm => ({
  submit: words.submit,
  fields: [
    {
      name: 'content',
      label: words.text,
      kind: 'area',
      isOneOf: true,
      maxLength: 50_000,
      hint: words.textHint,
    },
    { name: 'file', label: words.file, kind: 'file', isOneOf: true, hint: words.fileHint },
    {
      name: 'referenceId',
      label: words.address,
      isOneOf: true,
      maxLength: 2048,
      isKept: true,
      hint: words.addressHint,
      ...(fixed['reference.id'] === undefined ? {} : { value: fixed['reference.id'], isFixed: true }),
    },
    {
      name: 'store',
      label: words.store,
      kind: 'tick',
      hint: words.storeHint,
    },
  ],
  async data(values) {
    const { address: owner } = person
    const [content, file, id] = [values.given('content'), values.file('file'), values.given('referenceId')]
    const type = fixed['reference.type']
    if (content === undefined && !file && id === undefined) throw new FormFault(words.nothing, 'content')
    if (content !== undefined && file) throw new FormFault(words.both, 'content')
    const reference = id === undefined ? undefined : { type: type ?? guessKind(id), id }
    if (reference?.type === 'url' && !parseWebUrl(reference.id)) throw new FormFault(words.wholeAddress, 'referenceId')
    if (!file) return keepPresent({ owner, content, reference })
    const contentHash = `0x${writeHex(keccak_256(await readBytes(file, { field: 'file', most: fileMaxBytes, tooLarge: words.tooLarge })))}`
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
