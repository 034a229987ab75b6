/** The form of ownership-dns-txt: a domain, and the record that its owner sets. */
import { makeElement } from '../../web/ui/dom.ts'
import type { Asked, VerifierForm } from '../form.ts'
import { nameRecordLabel } from './label.ts'
import { form as words } from './words/en.ts'

/** As people copy it from the line of their browser. */
const trimDomain = (text: string): string =>
  text
    .trim()
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/[/?#:].*$/, '')
    .replace(/\.$/, '')
    .toLowerCase()

/** As a record names the wallet: a contract, which signs for a chain of its own, with that chain. */
function writeAccount({ address, context: { chain, chainId } }: Asked['person']): string {
  if (!address.startsWith('0x')) return address
  const on = chain ?? (chainId === undefined ? undefined : `eip155:${chainId}`)
  return on === undefined ? address.toLowerCase() : `${on}:${address.toLowerCase()}`
}

export const makeForm = ({ model, person }: Asked): VerifierForm => {
  const place = makeElement('code', {}, '')
  const record = makeElement('code', {}, `wallet=${writeAccount(person)}`)
  const element = makeElement(
    'div',
    { class: 'notice', hidden: true },
    makeElement('p', {}, words.addRecord),
    makeElement('p', {}, words.name, place),
    makeElement('p', {}, words.value, record),
    makeElement('p', {}, words.wait),
  )
  return {
    submit: words.submit,
    fields: [
      {
        name: 'domain',
        label: words.domain,
        isRequired: true,
        isKept: true,
        maxLength: 254,
        hint: words.domainHint,
      },
    ],
    more: {
      element,
      update(values) {
        const name = trimDomain(values.text('domain'))
        element.hidden = !name.includes('.')
        place.textContent = `${nameRecordLabel(model.brand)}.${name}`
      },
    },
    data: (values) => ({ domain: trimDomain(values.text('domain')), walletAddress: person.address }),
  }
}
