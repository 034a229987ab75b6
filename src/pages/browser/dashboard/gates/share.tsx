/** Shows how to share a gate: the address of its checkout, and a snippet for the owner's own page. */
import { useEffect } from 'preact/hooks'
import { hasGuestList } from '../../../../gates/guests/guest-list.ts'
import { gates as words } from '../../../words/en/gates.ts'
import { Dialog } from '../dialog.tsx'
import { useLoad } from '../load.ts'
import { model } from '../model.ts'
import { Command, Link, LoopbackNote } from '../parts.tsx'
import { keepMark } from '../start/first-steps.ts'
import { type AppearanceAnswer, writeAppearancePath } from './appearance-editor.tsx'
import type { OwnGate } from './definition.ts'
import { type GuestsAnswer, writeGuestsPath } from './guest-list.tsx'

/** The short link leads to the checkout. An id has no character that an address would escape. */
const buildCheckoutLink = (gateId: string): string => `${model.authUrl}/g/${gateId}`

/** Uses the sign-in address: the widget accepts messages of that origin alone. */
const writeSnippet = (gateId: string): string =>
  `<script type="module" src="${model.authUrl}/widget.js"></script>
<proof-gate gate-id="${gateId}"></proof-gate>`

export function Share({ gate, onClose }: { readonly gate: OwnGate; onClose(): void }) {
  const { gateId, status, name, definition } = gate
  const isListed = hasGuestList(definition)
  // The list is changed beside the gate, so that the number in the list of gates may be old.
  const guests = useLoad<GuestsAnswer>(isListed ? `${writeGuestsPath(gateId)}?limit=1` : undefined)
  const isEmpty = isListed && (guests.data?.data.totalCount ?? gate.guestCount) === 0
  const isSold = definition.price !== undefined
  const appearance = useLoad<AppearanceAnswer>(isSold ? writeAppearancePath(gateId) : undefined)
  const isNameless = isSold && appearance.data?.data.seller === null
  useEffect(() => keepMark('shared'), [])
  return (
    <Dialog title={words.share.title(<bdi>{name}</bdi>)} wide onClose={onClose}>
      {isEmpty && (
        <p class="notice warning">
          {words.share.noGuests}{' '}
          <Link to={`/gates/${gateId}`} onFollow={onClose}>
            {words.share.addGuests}
          </Link>
        </p>
      )}
      {isNameless && (
        <p class="notice">
          {words.share.nameless}{' '}
          <Link to={`/gates/${gateId}?tab=appearance`} onFollow={onClose}>
            {words.share.addName}
          </Link>
        </p>
      )}
      {status !== 'active' && <p class="notice warning">{words.share.notActive}</p>}
      <h3>{words.share.checkout}</h3>
      <p>{words.share.checkoutLead}</p>
      <Command text={buildCheckoutLink(gateId)} label={words.share.copyLink} />
      <LoopbackNote address={model.authUrl} />
      <p>
        <a href={buildCheckoutLink(gateId)} target="_blank" rel="noreferrer">
          {words.share.open}
        </a>
      </p>
      <h3>{words.share.embed}</h3>
      <p>{words.share.embedLead}</p>
      <Command text={writeSnippet(gateId)} label={words.share.copySnippet} />
    </Dialog>
  )
}
