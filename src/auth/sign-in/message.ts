/**
 * The text a wallet signs to sign in: EIP-4361 for Ethereum, CAIP-122 for Solana. It has one writer and one parser. A
 * parsed message is written again and must give the same text, so that no part goes unread. Does not check the server,
 * the time or the nonce (sign-in.ts).
 */
import { AppError } from '../../errors.ts'
import { isBase58Key } from '../../wallet/account.ts'
import { hashKeccak256 } from '../../wallet/keccak.ts'

export type SignInNamespace = 'eip155' | 'solana'

/** Texts are as they stand in the message. */
export interface SignInMessage {
  readonly namespace: SignInNamespace
  /** The scheme of `scheme://domain`, which most messages lack. */
  readonly scheme?: string
  readonly domain: string
  readonly address: string
  readonly statement?: string
  readonly uri: string
  readonly chainId: string
  readonly nonce: string
  readonly issuedAt: string
  readonly expirationTime?: string
  readonly notBefore?: string
  readonly requestId?: string
  readonly resources?: readonly string[]
}

export const messageMaxLength = 4096
const mostResources = 32

const accountWords: Readonly<Record<SignInNamespace, string>> = { eip155: 'Ethereum', solana: 'Solana' }

export function writeMessage(message: SignInMessage): string {
  const { statement } = message
  return [
    ...writeOpening(message),
    '',
    ...(statement === undefined ? [] : [statement]),
    '',
    ...writeFields(message),
  ].join('\n')
}

/** Solana wallets that write the message themselves leave out the second blank line if there is no statement. */
const writeShortMessage = (message: SignInMessage): string =>
  [...writeOpening(message), '', ...writeFields(message)].join('\n')

const writeOpening = ({ namespace, scheme, domain, address }: SignInMessage): string[] => [
  `${scheme === undefined ? '' : `${scheme}://`}${domain} wants you to sign in with your ${accountWords[namespace]} account:`,
  address,
]

function writeFields(message: SignInMessage): string[] {
  const writeOptional = (label: string, value: string | undefined) => (value === undefined ? [] : [`${label}${value}`])
  return [
    `${labels.uri}${message.uri}`,
    `${labels.version}1`,
    `${labels.chainId}${message.chainId}`,
    `${labels.nonce}${message.nonce}`,
    `${labels.issuedAt}${message.issuedAt}`,
    ...writeOptional(labels.expirationTime, message.expirationTime),
    ...writeOptional(labels.notBefore, message.notBefore),
    ...writeOptional(labels.requestId, message.requestId),
    ...(message.resources ? [resourcesLine, ...message.resources.map((uri) => `${bullet}${uri}`)] : []),
  ]
}

const labels = {
  uri: 'URI: ',
  version: 'Version: ',
  chainId: 'Chain ID: ',
  nonce: 'Nonce: ',
  issuedAt: 'Issued At: ',
  expirationTime: 'Expiration Time: ',
  notBefore: 'Not Before: ',
  requestId: 'Request ID: ',
} as const
const resourcesLine = 'Resources:'
const bullet = '- '

/** RFC 3986: the characters of a URI, and those of a path segment. */
const uriForm = /^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/
const segmentForm = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2}){0,256}$/
const openingForm =
  /^(?:([a-z][a-z0-9+.-]{0,31}):\/\/)?([A-Za-z0-9\-._~!$&'()*+,;=:[\]]{1,255}) wants you to sign in with your (Ethereum|Solana) account:$/

/** EIP-4361: reserved and unreserved characters of RFC 3986, and blanks. */
const statementForm = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;= ]+$/
const nonceForm = /^[A-Za-z0-9]{8,128}$/
const chainForms: Readonly<Record<SignInNamespace, RegExp>> = {
  eip155: /^[1-9][0-9]{0,14}$/,
  // Wallets write the reference, or the whole CAIP-2 id.
  solana: /^(?:solana:)?[A-Za-z0-9_-]{1,32}$/,
}

/** Whether a chain can be named in a message. */
export const isChainId = (namespace: SignInNamespace, text: string): boolean => chainForms[namespace].test(text)

/** Errors: VALIDATION_ERROR, which names the line. */
export function parseMessage(text: string): SignInMessage {
  if (text.length > messageMaxLength) throw makeMalformedError(`is longer than ${messageMaxLength} characters`)
  if (!/^[\x20-\x7e\n]*$/.test(text))
    throw makeMalformedError('must hold only ASCII text and line feeds, without carriage returns and tabs')
  const message = read(text.split('\n'))
  if (writeMessage(message) === text) return message
  const mayBeShort = message.namespace === 'solana' && message.statement === undefined
  if (mayBeShort && writeShortMessage(message) === text) return message
  throw makeMalformedError('does not have exactly the lines of EIP-4361 or CAIP-122, in their order')
}

/** Reads the known parts. The comparison above finds skipped text. */
function read(lines: readonly string[]): SignInMessage {
  const first = openingForm.exec(lines[0] ?? '')
  if (!first)
    throw makeMalformedError('does not begin with "{domain} wants you to sign in with your Ethereum account:"')
  const namespace: SignInNamespace = first[3] === 'Ethereum' ? 'eip155' : 'solana'
  const address = lines[1] ?? ''
  requireAddress(namespace, address)
  const [statement, at] = readStatement(lines)
  if (statement !== undefined && !statementForm.test(statement))
    throw makeMalformedError('has a statement with characters that EIP-4361 does not allow')

  let next = at
  const writeOptional = (label: string): string | undefined => {
    const line = lines[next]
    if (!line?.startsWith(label)) return undefined
    next++
    return line.slice(label.length)
  }
  const readRequired = (label: string, form: RegExp): string => {
    const value = writeOptional(label)
    if (value === undefined || !form.test(value))
      throw makeMalformedError(`needs the line "${label.trim()}" with a usable value, as line ${next + 1} or so`)
    return value
  }
  const readOptionalTime = (label: string): string | undefined => {
    const value = writeOptional(label)
    if (value !== undefined && parseTime(value) === undefined)
      throw makeMalformedError(`has a line "${label.trim()}" without an RFC 3339 time`)
    return value
  }

  const uri = readRequired(labels.uri, uriForm)
  readRequired(labels.version, /^1$/)
  const chainId = readRequired(labels.chainId, chainForms[namespace])
  const nonce = readRequired(labels.nonce, nonceForm)
  const issuedAt = readOptionalTime(labels.issuedAt)
  if (issuedAt === undefined) throw makeMalformedError(`needs the line "${labels.issuedAt.trim()}" after the nonce`)
  const expirationTime = readOptionalTime(labels.expirationTime)
  const notBefore = readOptionalTime(labels.notBefore)
  const requestId = writeOptional(labels.requestId)
  if (requestId !== undefined && !segmentForm.test(requestId))
    throw makeMalformedError(`has a line "${labels.requestId.trim()}" with characters that EIP-4361 does not allow`)
  const resources = lines[next] === resourcesLine ? readResources(lines.slice(next + 1)) : undefined

  return {
    namespace,
    ...(first[1] === undefined ? {} : { scheme: first[1] }),
    domain: first[2]!,
    address,
    ...(statement === undefined ? {} : { statement }),
    uri,
    chainId,
    nonce,
    issuedAt,
    ...(expirationTime === undefined ? {} : { expirationTime }),
    ...(notBefore === undefined ? {} : { notBefore }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(resources === undefined ? {} : { resources }),
  }
}

/** The statement, if any, and the line of the first field. */
function readStatement(lines: readonly string[]): [string | undefined, number] {
  const line = lines[3]
  if (line === '') return [undefined, 4]
  return lines[4] === '' ? [line, 5] : [undefined, 3]
}

function readResources(lines: readonly string[]): string[] {
  if (lines.length > mostResources) throw makeMalformedError(`has more than ${mostResources} resources`)
  return lines.map((line) => {
    const uri = line.slice(bullet.length)
    if (!line.startsWith(bullet) || !uriForm.test(uri))
      throw makeMalformedError('has a resource that is not "- " and a URI')
    return uri
  })
}

function requireAddress(namespace: SignInNamespace, address: string): void {
  if (namespace === 'solana') {
    if (!isBase58Key(address)) throw makeMalformedError('has no Solana address in its second line')
    return
  }
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw makeMalformedError('has no EVM address in its second line')
  if (address !== address.toLowerCase() && address !== addChecksum(address))
    throw makeMalformedError(
      'has an address with a wrong EIP-55 checksum in its second line: check it, or write it in lower case',
    )
}

/** EIP-55: the spelling of an EVM address whose capital letters are a checksum. */
export function addChecksum(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const hash = hashKeccak256(digits).slice(2)
  return `0x${[...digits].map((digit, index) => (Number.parseInt(hash[index]!, 16) >= 8 ? digit.toUpperCase() : digit)).join('')}`
}

const timeForm =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/

/** Unix milliseconds of an RFC 3339 time, or undefined. */
export function parseTime(text: string): number | undefined {
  const found = timeForm.exec(text)
  if (!found) return undefined
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] = found
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day))
  // Date would turn February 30 into a day of March.
  if (new Date(midnight).toISOString().slice(0, 10) !== text.slice(0, 10)) return undefined
  const offsetMinutes =
    sign === undefined ? 0 : (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -1 : 1)
  const seconds = (Number(hour) * 60 + Number(minute) - offsetMinutes) * 60 + Number(second)
  return midnight + seconds * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3))
}

const makeMalformedError = (what: string): AppError =>
  new AppError(
    'VALIDATION_ERROR',
    `the sign-in message ${what}. Sign exactly the message that POST /api/v1/auth/nonce returns`,
    { path: '/message' },
  )
