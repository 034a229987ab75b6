/** What each verifier needs from a person, as a form, and what becomes of it: the `data` of the claim. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { VerifyModel } from '../verify-model.ts'
import { type Child, el } from './dom.ts'
import type { Field, Values } from './form.ts'
import { chainOf, type Person } from './person.ts'

export interface VerifierForm {
  readonly fields: readonly Field[]
  /** Shown below the fields, and told of every change. */
  readonly more?: { readonly element: Child; update?(values: Values): void }
  /** On the button. */
  readonly submit?: string
  /** Errors: FormFault. */
  data(values: Values): object | Promise<object>
  /** Of the proof, besides who sees it. */
  options?(values: Values): object
}

/** Something that no single field's rule can say. */
export class FormFault extends Error {
  constructor(
    message: string,
    readonly field: string,
  ) {
    super(message)
  }
}

interface Asked {
  readonly model: VerifyModel
  readonly person: Person
  /** By the names of members of `data`: what a gate asks for exactly. */
  readonly fixed: Readonly<Record<string, string>>
  /** JSON Schema of `data`, for verifiers without a form of their own. */
  readonly dataSchema?: object | undefined
}

const evmAddress = /^0x[0-9a-fA-F]{40}$/
const anyAddress = /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44}|[a-z0-9._-]{2,64})$/
const beEvm = 'must be 0x and 40 hexadecimal digits'

/** Without the members that are not there: what is signed says only what was said. */
const present = (members: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== ''))

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

/** Undefined for a verifier that has no form of its own. */
export function formFor(verifierId: string, asked: Asked): VerifierForm {
  const make = Object.hasOwn(forms, verifierId) ? forms[verifierId] : undefined
  return withFixed((make ?? generic)(asked), asked.fixed)
}

/** What a gate demands stands in its field, and cannot be changed there. */
const withFixed = (form: VerifierForm, fixed: Asked['fixed']): VerifierForm => ({
  ...form,
  fields: form.fields.map((field) => {
    const value = fixed[field.name]
    return value === undefined ? field : { ...field, value, isFixed: true }
  }),
})

const basic = ({ person, fixed }: Asked): VerifierForm => ({
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
      hint: 'Readable for whoever sees the proof. Without it, only the hash is kept.',
    },
  ],
  async data(values) {
    const { address: owner } = person
    const [content, file, id] = [values.given('content'), values.file('file'), values.given('referenceId')]
    const type = fixed['reference.type']
    if (content === undefined && !file && id === undefined)
      throw new FormFault('Give a text, a file or an address: there must be something to claim.', 'content')
    if (content !== undefined && file) throw new FormFault('Give a text or a file, not both.', 'content')
    const reference =
      id === undefined
        ? undefined
        : { type: type ?? (/^https?:/i.test(id) ? 'url' : /^ipfs:/i.test(id) ? 'ipfs' : 'other'), id }
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

const pseudonym = (): VerifierForm => ({
  fields: [
    {
      name: 'pseudonymId',
      label: 'Name',
      isRequired: true,
      isKept: true,
      maxLength: 32,
      pattern: /^[a-z0-9][a-z0-9._-]{1,30}[a-z0-9]$/,
      mustBe: 'must be 3 to 32 of a-z 0-9 . _ - and begin and end with a letter or digit',
      hint: '3 to 32 of a-z 0-9 . _ -',
    },
    { name: 'displayName', label: 'As it is shown', maxLength: 64, isKept: true },
  ],
  data: (values) => present({ pseudonymId: values.text('pseudonymId'), displayName: values.given('displayName') }),
})

/** As people copy it from the line of their browser. */
const bareDomain = (text: string): string =>
  text
    .trim()
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/[/?#:].*$/, '')
    .replace(/\.$/, '')
    .toLowerCase()

const domain = ({ model, person }: Asked): VerifierForm => {
  const place = el('code', {}, '')
  const record = el(
    'code',
    {},
    `wallet=${person.address.startsWith('0x') ? person.address.toLowerCase() : person.address}`,
  )
  const element = el(
    'div',
    { class: 'notice', hidden: true },
    el('p', {}, 'Where you manage the domain, add a record of type TXT:'),
    el('p', {}, 'Name ', place),
    el('p', {}, 'Value ', record),
    el('p', {}, 'It may take some minutes until it is seen. You can take it away again afterwards.'),
  )
  return {
    submit: 'I have set it: check now',
    fields: [
      {
        name: 'domain',
        label: 'Domain',
        isRequired: true,
        isKept: true,
        maxLength: 254,
        hint: 'For example example.com',
      },
    ],
    more: {
      element,
      update(values) {
        const name = bareDomain(values.text('domain'))
        element.hidden = !name.includes('.')
        place.textContent = `${model.dnsLabel}.${name}`
      },
    },
    data: (values) => ({ domain: bareDomain(values.text('domain')), walletAddress: person.address }),
  }
}

const chainField = (model: VerifyModel, only: 'evm' | 'any'): Field => ({
  name: 'chainId',
  label: 'Chain',
  kind: 'choice',
  isRequired: true,
  isKept: true,
  options: model.chains
    .filter(({ chainId }) => only === 'any' || chainId !== undefined)
    .map(
      ({ chain, chainId, name }) => [chainId === undefined ? chain : String(chainId), `${name} (${chain})`] as const,
    ),
})

/** EVM chains by their number, all others by their CAIP-2 id. */
const chainIn = (values: Values): object => {
  const chain = values.text('chainId')
  return /^[0-9]+$/.test(chain) ? { chainId: Number(chain) } : { chain }
}

const contractField: Field = {
  name: 'contractAddress',
  label: 'Contract',
  isRequired: true,
  isKept: true,
  maxLength: 64,
  pattern: anyAddress,
  mustBe: 'must be the address of a contract',
  hint: '0x…',
}

const contract = ({ model, person }: Asked): VerifierForm => ({
  submit: 'Check now',
  fields: [
    { ...contractField, pattern: evmAddress, mustBe: beEvm },
    chainField(model, 'evm'),
    {
      name: 'method',
      label: 'How your wallet controls it',
      kind: 'choice',
      isRequired: true,
      isKept: true,
      options: [
        ['owner', 'Owner'],
        ['admin', 'Admin of a proxy'],
        ['accessControl', 'Default admin role'],
      ],
    },
  ],
  data: (values) => ({
    contractAddress: values.text('contractAddress'),
    ...chainIn(values),
    walletAddress: person.address,
    method: values.text('method'),
  }),
})

const nft = ({ model, person }: Asked): VerifierForm => ({
  submit: 'Check now',
  fields: [
    chainField(model, 'any'),
    contractField,
    { name: 'tokenId', label: 'Token id', isRequired: true, isKept: true, maxLength: 78 },
    {
      name: 'tokenType',
      label: 'Kind',
      kind: 'choice',
      isRequired: true,
      isKept: true,
      options: [
        ['erc721', 'ERC-721, one of a kind'],
        ['erc1155', 'ERC-1155, several of a kind'],
      ],
    },
  ],
  data: (values) => ({
    contractAddress: values.text('contractAddress'),
    tokenId: values.text('tokenId'),
    ...chainIn(values),
    ownerAddress: person.address,
    ...(/^[0-9]+$/.test(values.text('chainId')) ? { tokenType: values.text('tokenType') } : {}),
  }),
})

const token = ({ model, person }: Asked): VerifierForm => ({
  submit: 'Check now',
  fields: [
    chainField(model, 'any'),
    contractField,
    {
      name: 'minBalance',
      label: 'At least',
      isRequired: true,
      isKept: true,
      maxLength: 78,
      pattern: /^[0-9]+(\.[0-9]+)?$/,
      mustBe: 'must be a number such as 10 or 0.5',
      hint: 'In whole tokens, such as 10 or 0.5. Your balance itself is not shown.',
    },
  ],
  data: (values) => ({
    contractAddress: values.text('contractAddress'),
    minBalance: values.text('minBalance'),
    ...chainIn(values),
    ownerAddress: person.address,
  }),
})

/** Who judges may know some chains only: those that this server can ask come first. */
const risk = ({ model, person }: Asked): VerifierForm => {
  const isEvm = person.address.startsWith('0x')
  const options = chainField(model, 'evm').options!
  return {
    submit: 'Check this wallet',
    fields: isEvm
      ? [
          {
            name: 'chainId',
            label: 'On which chain',
            kind: 'choice',
            isKept: true,
            options: options.some(([id]) => id === '1') ? options : [...options, ['', 'Ethereum']],
            ...(person.context.chainId === undefined ? {} : { value: String(person.context.chainId) }),
          },
        ]
      : [],
    data: (values) => ({
      walletAddress: person.address,
      ...(isEvm ? (values.given('chainId') === undefined ? {} : chainIn(values)) : { chain: 'sol' }),
    }),
  }
}

const imageTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif']

const moderation = (): VerifierForm => ({
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

const agentIdField = (value: string | undefined): Field => ({
  name: 'agentId',
  label: 'Id of the agent',
  isRequired: true,
  isKept: true,
  maxLength: 128,
  ...(value === undefined ? { hint: 'Any name by which you know it.' } : { value, isFixed: true }),
})

const instructionsMaxLength = 16_000

const agentIdentity = ({ model, person }: Asked): VerifierForm => {
  const { agentId, agentLabel, agentType } = model.request.agent ?? {}
  return {
    submit: 'Sign as the agent',
    fields: [
      agentIdField(agentId),
      {
        name: 'agentLabel',
        label: 'Name',
        maxLength: 128,
        isKept: true,
        ...(agentLabel === undefined ? {} : { value: agentLabel }),
      },
      {
        name: 'agentType',
        label: 'Kind',
        kind: 'choice',
        isRequired: true,
        isKept: true,
        options: ['ai', 'agent', 'bot', 'service', 'automation'].map((kind) => [kind, kind] as const),
        value: agentType ?? 'ai',
      },
      { name: 'description', label: 'What it does', kind: 'area', maxLength: 500, isKept: true },
      {
        name: 'instructions',
        label: 'Instructions',
        kind: 'area',
        maxLength: instructionsMaxLength,
        hint: 'At most 16,000 characters. Whoever sees the proof sees them.',
      },
    ],
    data: (values) =>
      present({
        agentId: values.text('agentId'),
        agentWallet: person.address,
        agentChainRef: chainOf(person, model.hubChainId),
        agentLabel: values.given('agentLabel'),
        agentType: values.given('agentType'),
        description: values.given('description'),
        instructions: values.given('instructions'),
      }),
  }
}

const wordsIn = (text: string): string[] | undefined => {
  const words = text
    .split(/[\n,]/)
    .map((word) => word.trim())
    .filter(Boolean)
  return words.length === 0 ? undefined : words
}

/** As the input for moments has it: without a zone, in that of the person. */
const localMoment = (ms: number): string =>
  new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

const weekMs = 604_800_000

const agentDelegation = ({ model, person }: Asked): VerifierForm => {
  const plan = model.request.agent ?? {}
  const { agentId, agentWallet, scope, expiresAt, maxSpend, permissions, allowedActions, deniedActions } = plan
  const list = (name: string, label: string, value: readonly string[] | undefined): Field => ({
    name,
    label,
    kind: 'area',
    rows: 2,
    isKept: true,
    hint: 'One in each line.',
    ...(value ? { value: value.join('\n') } : {}),
  })
  const policies = [plan.runtimePolicy, plan.approvalPolicy].filter((policy) => policy !== undefined)
  return {
    submit: 'Sign the permission',
    fields: [
      agentIdField(agentId),
      {
        name: 'agentWallet',
        label: 'Wallet of the agent',
        isRequired: true,
        isKept: true,
        maxLength: 64,
        pattern: anyAddress,
        mustBe: 'must be a wallet address',
        ...(agentWallet === undefined ? {} : { value: agentWallet, isFixed: true }),
      },
      { name: 'scope', label: 'For what', maxLength: 128, isKept: true, value: scope ?? 'global' },
      list('permissions', 'Permissions', permissions),
      list('allowedActions', 'What it may do', allowedActions),
      list('deniedActions', 'What it may not do', deniedActions),
      {
        name: 'maxSpend',
        label: 'Most that it may spend at once',
        isKept: true,
        maxLength: 78,
        pattern: /^[0-9]{1,78}$/,
        mustBe: 'must be a whole number',
        hint: 'In base units of the token, per payment.',
        ...(maxSpend === undefined ? {} : { value: maxSpend }),
      },
      {
        name: 'expiresAt',
        label: 'Until',
        kind: 'moment',
        isKept: true,
        hint: 'Empty: until you revoke it.',
        value: expiresAt === 0 ? '' : localMoment(expiresAt ?? model.now + weekMs),
      },
      {
        name: 'instructions',
        label: 'Instructions',
        kind: 'area',
        maxLength: instructionsMaxLength,
        hint: 'At most 16,000 characters.',
      },
    ],
    more: {
      element: el(
        'div',
        {},
        policies.length > 0 && el('p', {}, 'The link adds these rules, which you sign as well:'),
        policies.length > 0 && el('pre', { class: 'code' }, JSON.stringify(Object.assign({}, ...policies), null, 1)),
        el(
          'p',
          { class: 'notice warning' },
          'Whoever has the wallet of the agent can then act for you, as far as this says. Sign only if you know whose it is.',
        ),
      ),
    },
    data(values) {
      const until = values.given('expiresAt')
      const asked = expiresAt !== undefined && expiresAt > 0 && until === localMoment(expiresAt) ? expiresAt : undefined
      const wallet = values.text('agentWallet')
      return present({
        controllerWallet: person.address,
        controllerChainRef: chainOf(person, model.hubChainId),
        agentWallet: wallet,
        agentChainRef: wallet.startsWith('0x') ? `eip155:${model.hubChainId}` : 'solana:mainnet',
        agentId: values.text('agentId'),
        scope: values.given('scope'),
        permissions: wordsIn(values.text('permissions')),
        allowedActions: wordsIn(values.text('allowedActions')),
        deniedActions: wordsIn(values.text('deniedActions')),
        maxSpend: values.given('maxSpend'),
        expiresAt: until === undefined ? 0 : (asked ?? new Date(until).getTime()),
        instructions: values.given('instructions'),
        runtimePolicy: plan.runtimePolicy,
        approvalPolicy: plan.approvalPolicy,
      })
    },
  }
}

interface JsonSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly description?: string
  readonly maxLength?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

/** From the catalog's schema, for a verifier that this page has no form for: nested members as JSON. */
const generic = ({ person, dataSchema }: Asked): VerifierForm => {
  const { properties = {}, required = [] } = (dataSchema ?? {}) as JsonSchema
  const own = ['owner', 'walletAddress', 'ownerAddress'].filter((name) => name in properties)
  const asked = Object.entries(properties).filter(([name]) => !own.includes(name))
  return {
    fields: asked.map(([name, { type, enum: words, description, maxLength }]): Field => {
      const isNested = type === 'object' || type === 'array'
      return {
        name,
        label: name
          .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
          .toLowerCase()
          .replace(/^./, (letter) => letter.toUpperCase()),
        kind: words ? 'choice' : type === 'boolean' ? 'tick' : isNested || (maxLength ?? 0) > 500 ? 'area' : 'text',
        isRequired: required.includes(name),
        ...(words
          ? {
              options: [
                ...(required.includes(name) ? [] : ([['', '']] as const)),
                ...words.map((word) => [word, word] as const),
              ],
            }
          : {}),
        ...(description === undefined && !isNested
          ? {}
          : { hint: `${description ?? ''}${isNested ? ' As JSON.' : ''}`.trim() }),
      }
    }),
    data: (values) =>
      present({
        ...Object.fromEntries(own.map((name) => [name, person.address])),
        ...Object.fromEntries(asked.map(([name, { type }]) => [name, typed(values, name, type)])),
      }),
  }
}

function typed(values: Values, name: string, type: string | undefined): unknown {
  const text = values.given(name)
  if (type === 'boolean') return values.ticked(name) || undefined
  if (text === undefined || type === 'string' || type === undefined) return text
  try {
    return type === 'object' || type === 'array' ? JSON.parse(text) : Number(text)
  } catch {
    throw new FormFault('This is not JSON.', name)
  }
}

const forms: Readonly<Record<string, (asked: Asked) => VerifierForm>> = {
  'ownership-basic': basic,
  'ownership-pseudonym': pseudonym,
  'ownership-dns-txt': domain,
  'contract-ownership': contract,
  'nft-ownership': nft,
  'token-holding': token,
  'wallet-risk': risk,
  'ai-content-moderation': moderation,
  'agent-identity': agentIdentity,
  'agent-delegation': agentDelegation,
}
