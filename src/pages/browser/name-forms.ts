/** The forms of verifiers for names: one on this server, and one in the DNS. */
import { el } from './dom.ts'
import type { Person } from './person.ts'
import { type Asked, present, type VerifierForm } from './verifier-form.ts'

export const pseudonym = (): VerifierForm => ({
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

/** As a record names the wallet: a contract, which signs for a chain of its own, with that chain. */
function writeAccount({ address, context: { chain, chainId } }: Person): string {
  if (!address.startsWith('0x')) return address
  const on = chain ?? (chainId === undefined ? undefined : `eip155:${chainId}`)
  return on === undefined ? address.toLowerCase() : `${on}:${address.toLowerCase()}`
}

export const domain = ({ model, person }: Asked): VerifierForm => {
  const place = el('code', {}, '')
  const record = el('code', {}, `wallet=${writeAccount(person)}`)
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
