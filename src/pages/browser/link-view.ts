/** The step of a wallet-link. */

import { loadLinkForm } from '../../verifiers/forms.ts'
import { makeElement, renderFacts, requireElement, shortenAddress } from '../../web/ui/dom.ts'
import { walletLink as words } from '../words/en/verify.ts'
import { showForm } from './claim-form.ts'
import { signAsSecond } from './link-step.ts'
import { loadPart } from './load-part.ts'
import { isSameAddress, type Person } from './person.ts'
import type { Desk, StepView } from './step.ts'

/** A wallet-link has two wallets: the second one signs first. */
export function showLink(desk: Desk, view: StepView, place: HTMLElement): void {
  const { attempts, wallets, api, model } = desk
  const { person } = view
  place.append(renderFacts([[words.firstWallet, person.address, true]]), makeElement('p', {}, words.secondSigns))
  if (!person.wallet) {
    place.append(makeElement('p', { class: 'notice warning' }, words.needsFirst))
    return
  }
  wallets.ask({
    heading: words.secondWallet,
    other: {
      address: person.address,
      why: words.isFirst(shortenAddress(person.address)),
    },
    async chosen(second, isCurrent) {
      attempts.say(words.signText(second.wallet!.name), requireElement('wallets-heading'))
      const { makeForm } = await loadPart(loadLinkForm)
      const signed = await signAsSecond(person, second, { api, hubChainId: model.hubChainId, isCurrent })
      if (!isCurrent()) return
      attempts.finish()
      wallets.hide()
      const switchBack = makeElement('span', {}, ` ${words.switchBack}`)
      place.replaceChildren(
        renderFacts([
          [words.firstWallet, person.address, true],
          [words.secondSigned, signed.address, true],
        ]),
        makeElement('p', {}, words.firstSigns, switchBack),
      )
      const ready = desk.people.find(({ address }) => isSameAddress(address, person.address))
      const formPlace = makeElement('div')
      place.append(formPlace)
      const sign = (first: Person): void => {
        wallets.hide()
        switchBack.remove()
        formPlace.replaceChildren()
        showForm(desk, { ...view, person: first }, formPlace, makeForm(signed.data))
      }
      if (ready) return sign(ready)
      wallets.ask({
        heading: words.firstWallet,
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
