/** The actions for the selected proofs. */

import { useEffect, useRef, useState } from 'preact/hooks'
import { dashboard as shared } from '../../../words/en/dashboard.ts'
import { proofExport, selection as words } from '../../../words/en/vault.ts'
import { Dialog } from '../dialog.tsx'
import { useAction } from '../load.ts'
import { Problem } from '../problem.tsx'
import { toast } from '../toast.tsx'
import { ExportWindow } from './export-window.tsx'
import { revokeAll } from './revoke.ts'
import { RevokingMeans } from './revoke-one.tsx'

export function Selection({
  ids,
  canPickAll,
  onPickAll,
  onClear,
  onRevoked,
}: {
  readonly ids: ReadonlySet<string>
  /** The number of loaded proofs. */
  readonly canPickAll: number
  onPickAll(): void
  onClear(): void
  onRevoked(qHash: string): void
}) {
  const [open, setOpen] = useState<'revoke' | 'export'>()
  if (ids.size === 0) return null
  return (
    <section class="vault-selection" aria-label={words.label}>
      <span role="status">{words.selected(ids.size)}</span>
      <button type="button" class="button secondary small" onClick={() => setOpen('export')}>
        {words.export}
      </button>
      <button type="button" class="button danger small" onClick={() => setOpen('revoke')}>
        {words.revoke}
      </button>
      {ids.size < canPickAll && (
        <button type="button" class="link" onClick={onPickAll}>
          {words.all(canPickAll)}
        </button>
      )}
      <button type="button" class="link" onClick={onClear}>
        {words.none}
      </button>
      {open === 'export' && (
        <ExportWindow
          source={{ ids: [...ids] }}
          title={proofExport.chosen(ids.size)}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'revoke' && <RevokeMany ids={[...ids]} onRevoked={onRevoked} onClose={() => setOpen(undefined)} />}
    </section>
  )
}

function RevokeMany({
  ids,
  onRevoked,
  onClose,
}: {
  readonly ids: readonly string[]
  onRevoked(qHash: string): void
  onClose(): void
}) {
  // Finished proofs leave the selection while the window is open.
  const [all] = useState(ids)
  const [waiting, setWaiting] = useState<number>()
  const stopping = useRef<AbortController>(undefined)
  useEffect(() => () => stopping.current?.abort(), [])
  const done = useRef(0)
  const revoking = useAction(async () => {
    const controller = new AbortController()
    stopping.current = controller
    await revokeAll(all.slice(done.current), {
      signal: controller.signal,
      waits: setWaiting,
      revoked: (qHash) => {
        done.current++
        onRevoked(qHash)
      },
    })
  })
  const left = all.length - done.current
  return (
    <Dialog title={words.title(all.length)} onClose={onClose}>
      <RevokingMeans />
      <p role="status">
        {done.current > 0 && words.progress(done.current, all.length)}
        {revoking.isBusy && waiting !== undefined && words.wait(waiting)}
      </p>
      {revoking.isBusy && <progress max={all.length} value={done.current} aria-label={words.revoked} />}
      <Problem error={revoking.error} />
      <div class="actions">
        {revoking.isBusy ? (
          <button type="button" class="button secondary" onClick={() => stopping.current?.abort()}>
            {words.stop}
          </button>
        ) : (
          <>
            {left > 0 && (
              <button
                type="button"
                class="button danger"
                onClick={async () => {
                  if ((await revoking.run()) && done.current === all.length) {
                    toast(words.done(all.length))
                    onClose()
                  }
                }}
              >
                {words.yes(left)}
              </button>
            )}
            <button type="button" class="button secondary" onClick={onClose}>
              {done.current > 0 ? shared.close : shared.cancel}
            </button>
          </>
        )}
      </div>
    </Dialog>
  )
}
