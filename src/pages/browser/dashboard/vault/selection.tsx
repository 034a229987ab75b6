/** The actions for the selected proofs. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Dialog } from '../dialog.tsx'
import { useAction } from '../load.ts'
import { Problem } from '../problem.tsx'
import { toast } from '../toast.tsx'
import { ExportWindow } from './export-window.tsx'
import { revokeAll } from './revoke.ts'
import { RevokingMeans } from './revoke-one.tsx'

export const countProofs = (count: number): string => (count === 1 ? '1 proof' : `${count} proofs`)

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
    <section class="vault-selection" aria-label="Selected proofs">
      <span role="status">{countProofs(ids.size)} selected</span>
      <button type="button" class="button secondary small" onClick={() => setOpen('export')}>
        Export
      </button>
      <button type="button" class="button danger small" onClick={() => setOpen('revoke')}>
        Revoke
      </button>
      {ids.size < canPickAll && (
        <button type="button" class="link" onClick={onPickAll}>
          Select the {canPickAll} loaded
        </button>
      )}
      <button type="button" class="link" onClick={onClear}>
        Select none
      </button>
      {open === 'export' && (
        <ExportWindow source={{ ids: [...ids] }} what={`${ids.size} selected`} onClose={() => setOpen(undefined)} />
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
    <Dialog title={`Revoke ${countProofs(all.length)}?`} onClose={onClose}>
      <RevokingMeans />
      <p role="status">
        {done.current > 0 && `${done.current} of ${all.length} revoked. `}
        {revoking.isBusy &&
          waiting !== undefined &&
          `The server asks to wait ${waiting} seconds; it then goes on by itself.`}
      </p>
      {revoking.isBusy && <progress max={all.length} value={done.current} aria-label="Revoked" />}
      <Problem error={revoking.error} />
      <div class="actions">
        {revoking.isBusy ? (
          <button type="button" class="button secondary" onClick={() => stopping.current?.abort()}>
            Stop
          </button>
        ) : (
          <>
            {left > 0 && (
              <button
                type="button"
                class="button danger"
                onClick={async () => {
                  if ((await revoking.run()) && done.current === all.length) {
                    toast(`${countProofs(all.length)} revoked.`)
                    onClose()
                  }
                }}
              >
                Revoke {left} for good
              </button>
            )}
            <button type="button" class="button secondary" onClick={onClose}>
              {done.current > 0 ? 'Close' : 'Cancel'}
            </button>
          </>
        )}
      </div>
    </Dialog>
  )
}
