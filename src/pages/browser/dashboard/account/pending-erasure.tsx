/** The steps left after a profile was deleted: its text is not erased from the disk yet. */

import { formatMoment } from '../../locale.ts'
import { Dialog } from '../dialog.tsx'
import { root } from '../model.ts'

export function PendingErasure({ since, onClose }: { readonly since: string; onClose(): void }) {
  return (
    <Dialog title="The profile is deleted" onClose={onClose}>
      <p>
        Nobody finds anything of it any more. <strong>Erasure pending since {formatMoment(Date.parse(since))}:</strong>{' '}
        what was sealed for you may still stand in the log of the database. The server empties the log by itself as soon
        as it can.
      </p>
      <p>
        <a href={new URL('api/v1/health', root).href} target="_blank" rel="noreferrer">
          The health of this server
        </a>{' '}
        says “erasure pending” until that is done.
      </p>
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Leave
        </button>
      </div>
    </Dialog>
  )
}
