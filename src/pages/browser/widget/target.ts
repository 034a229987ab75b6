/** The target of a `<proof-gate>`, and the addresses to it and back. */

export interface Target {
  /** `gateId`, `verifiers` or `preset`. */
  readonly kind: 'gateId' | 'verifiers' | 'preset'
  readonly value: string
  /** Further parameters of the page. */
  readonly more: Readonly<Record<string, string | null>>
}

/** The end of a sentence that begins with "This button is not set up:". */
export class Misuse extends Error {}

const forms = {
  gateId: ['gate-id', /^[a-zA-Z0-9:_-]{1,80}$/, '1 to 80 characters of a-z A-Z 0-9 : _ -'],
  verifiers: ['verifiers', /^[a-z0-9@, -]{1,600}$/, 'ids of verifiers with commas between them'],
  preset: ['preset', /^[a-z0-9-]{1,64}$/, 'the name of a preset'],
} as const

/** Throws Misuse. Checked here as well, so that the page that contains the mistake shows it. */
export function readTarget(given: Record<Target['kind'], string | null>, more: Target['more']): Target {
  const kinds = (Object.keys(forms) as Target['kind'][]).filter((kind) => given[kind])
  const [kind] = kinds
  if (kind === undefined || kinds.length > 1) throw new Misuse('give it one of gate-id, verifiers and preset')
  const [name, form, expected] = forms[kind]
  const value = given[kind]!
  if (!form.test(value)) throw new Misuse(`${name} must be ${expected}`)
  return { kind, value, more }
}

function buildPageAddress(server: URL, { kind, value, more }: Target, rest: Readonly<Record<string, string>>): string {
  const page = new URL('verify', server)
  for (const [name, text] of Object.entries({ [kind]: value, ...more, ...rest }))
    if (text) page.searchParams.set(name, text)
  return page.href
}

/** The address for a window of its own, which reports its result to this page. */
export const buildPopupAddress = (server: URL, target: Target, origin: string): string =>
  buildPageAddress(server, target, { mode: 'popup', origin })

/** The parameter of the return address that names the element of the journey. */
export const mark = 'proofgate'
/** Parameters that a journey adds to its return address. */
export const broughtBack = ['qHash', 'qHashes', mark] as const
/** The server's limit. */
const longest = 2048

/** The address for this tab. The journey returns to `returnTo` (relative to `here`, this page) with the proof id. */
export function redirectAddress(server: URL, target: Target, returnTo: string | null, here: string): string {
  if (!URL.canParse(returnTo ?? '', here)) throw new Misuse('return-url must be an address')
  let back = new URL(returnTo ?? '', here)
  // The result of an earlier journey must not count for this one.
  for (const name of broughtBack) back.searchParams.delete(name)
  back.hash = ''
  if (back.href.length + target.value.length + mark.length + 2 > longest) back = new URL(back.pathname, back)
  back.searchParams.set(mark, target.value)
  return buildPageAddress(server, target, { returnUrl: back.href })
}
