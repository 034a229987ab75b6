/** The question before something is taken away. */
import { useEffect, useRef } from 'preact/hooks'
import type { Operation } from './description.ts'

interface SureProps {
  readonly operation: Operation
  run(): Promise<void>
  close(): void
}

/** Escape is no. */
export function Sure({ operation, run, close }: SureProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current!.showModal(), [])
  return (
    <dialog ref={dialog} class="sure" aria-labelledby="sure-title" onClose={close}>
      <h2 id="sure-title">Really run it?</h2>
      <p>
        <code>
          {operation.method} {operation.path}
        </code>{' '}
        deletes or revokes something on this server. That cannot be taken back.
      </p>
      <div class="try-buttons">
        <button
          type="button"
          class="button danger"
          onClick={() => {
            dialog.current!.close()
            void run()
          }}
        >
          Run it
        </button>
        <button type="button" class="button secondary" autofocus onClick={() => dialog.current!.close()}>
          Leave it
        </button>
      </div>
    </dialog>
  )
}
