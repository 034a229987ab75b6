/** The steps left after a profile was deleted: its text is not erased from the disk yet. */

import { sessions as words } from '../../../words/en/account.ts'
import { formatMoment } from '../../locale.ts'
import { Dialog } from '../dialog.tsx'
import { root } from '../model.ts'

export function PendingErasure({ since, onClose }: { readonly since: string; onClose(): void }) {
  return (
    <Dialog title={words.deleted} onClose={onClose}>
      <p>
        {words.deletedText} <strong>{words.pending(formatMoment(Date.parse(since)))}</strong> {words.pendingText}
      </p>
      <p>
        <a href={new URL('api/v1/health', root).href} target="_blank" rel="noreferrer">
          {words.health}
        </a>
        {words.healthText}
      </p>
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          {words.leave}
        </button>
      </div>
    </Dialog>
  )
}
