/** The step of a wallet-link. */

import { makeElement, renderFacts, shortenAddress } from '../../web/ui/dom.ts'
import { showForm } from './claim-form.ts'
import { signAsSecond } from './link-step.ts'
import { isSameAddress, type Person } from './person.ts'
import type { Desk, StepView } from './step.ts'

/** A wallet-link has two wallets: the second one signs first. */
export function showLink(desk: Desk, view: StepView, place: HTMLElement): void {
  const { attempts, wallets, api, model } = desk
  const { person } = view
  place.append(
    renderFacts([['First wallet', person.address, true]]),
    makeElement(
      'p',
      {},
      'Now the second wallet signs. If it is another account of the same wallet, switch to it there, then choose the wallet here.',
    ),
  )
  if (!person.wallet) {
    place.append(
      makeElement(
        'p',
        { class: 'notice warning' },
        'Linking needs the first wallet as well: choose “Use another wallet” above, and connect it.',
      ),
    )
    return
  }
  wallets.ask({
    heading: 'Second wallet',
    other: {
      address: person.address,
      why: `This is the first wallet, ${shortenAddress(person.address)}. Switch to the other account in the wallet, then try again.`,
    },
    async chosen(second, isCurrent) {
      attempts.say(`Sign the text that ${second.wallet!.name} shows: it says that both wallets belong together.`)
      const signed = await signAsSecond(person, second, { api, hubChainId: model.hubChainId })
      if (!isCurrent()) return
      attempts.finish()
      wallets.hide()
      place.replaceChildren(
        renderFacts([
          ['First wallet', person.address, true],
          ['Second wallet, has signed', signed.address, true],
        ]),
        makeElement(
          'p',
          {},
          'Now the first wallet signs. If it is another account of the same wallet, switch back to it there.',
        ),
      )
      const ready = desk.people.find(({ address }) => isSameAddress(address, person.address))
      const form = makeElement('div')
      place.append(form)
      const sign = (first: Person): void => {
        wallets.hide()
        form.replaceChildren()
        showForm(desk, { ...view, person: first }, form, {
          submit: 'Sign with the first wallet',
          fields: [
            {
              name: 'relationshipType',
              label: 'How they belong together',
              kind: 'choice',
              isRequired: true,
              options: [
                ['linked', 'Linked'],
                ['personal', 'Both are mine'],
                ['org', 'An organization'],
                ['affiliate', 'Affiliate'],
                ['agent', 'An agent of mine'],
              ],
            },
            { name: 'label', label: 'A name for the link', maxLength: 64 },
          ],
          data: (values) => ({
            ...signed.data,
            relationshipType: values.text('relationshipType'),
            ...(values.given('label') === undefined ? {} : { label: values.given('label') }),
          }),
        })
      }
      if (ready) return sign(ready)
      wallets.ask({
        heading: 'First wallet',
        address: person.address,
        chosen(first) {
          attempts.finish()
          desk.people.unshift(first)
          sign(first)
        },
      })
    },
  })
}
