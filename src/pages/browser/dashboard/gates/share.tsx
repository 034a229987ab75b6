/** Shows how to share a gate: the address of its checkout, and a snippet for the owner's own page. */
import { useEffect } from 'preact/hooks'
import { gates as words } from '../../../words/en/gates.ts'
import { Dialog } from '../dialog.tsx'
import { model } from '../model.ts'
import { Command } from '../parts.tsx'
import { keepMark } from '../start/first-steps.ts'
import type { OwnGate } from './definition.ts'

/** The short link leads to the checkout. An id has no character that an address would escape. */
const buildCheckoutLink = (gateId: string): string => `${model.authUrl}/g/${gateId}`

/** Uses the sign-in address: the widget accepts messages of that origin alone. */
const writeSnippet = (gateId: string): string =>
  `<script type="module" src="${model.authUrl}/widget.js"></script>
<proof-gate gate-id="${gateId}"></proof-gate>`

export function Share({ gate, onClose }: { readonly gate: OwnGate; onClose(): void }) {
  const { gateId, status, name } = gate
  useEffect(() => keepMark('shared'), [])
  return (
    <Dialog title={words.share.title(<bdi>{name}</bdi>)} wide onClose={onClose}>
      {status !== 'active' && <p class="notice warning">{words.share.notActive}</p>}
      <h3>{words.share.checkout}</h3>
      <p>{words.share.checkoutLead}</p>
      <Command text={buildCheckoutLink(gateId)} label={words.share.copyLink} />
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
