/** Shows how to share a gate: the address of its checkout, and a snippet for the owner's own page. */
import { Dialog } from '../dialog.tsx'
import { model } from '../model.ts'
import { Command } from '../parts.tsx'
import type { OwnGate } from './definition.ts'

export const buildCheckoutLink = (gateId: string): string =>
  `${model.authUrl}/verify?gateId=${encodeURIComponent(gateId)}`

/** Uses the sign-in address: the widget accepts messages of that origin alone. */
const writeSnippet = (gateId: string): string =>
  `<script type="module" src="${model.authUrl}/widget.js"></script>
<proof-gate gate-id="${gateId}"></proof-gate>`

export function Share({ gate, onClose }: { readonly gate: OwnGate; onClose(): void }) {
  const { gateId, status, name } = gate
  return (
    <Dialog
      title={
        <>
          Share <bdi>{name}</bdi>
        </>
      }
      wide
      onClose={onClose}
    >
      {status !== 'active' && <p class="notice warning">This gate is not active: nobody can pass it now.</p>}
      <h3>The checkout</h3>
      <p>Send this address to whom you want to let in.</p>
      <Command text={buildCheckoutLink(gateId)} label="Copy the address" />
      <p>
        <a href={buildCheckoutLink(gateId)} target="_blank" rel="noreferrer">
          Open the checkout in a new tab
        </a>
      </p>
      <h3>In a page of yours</h3>
      <p>A button that opens the checkout, and an event when somebody is through.</p>
      <Command text={writeSnippet(gateId)} label="Copy the snippet" />
    </Dialog>
  )
}
