/** Windows over the page. The browser keeps the focus in them, closes them with Escape, and gives the focus back. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { dashboard as words } from '../../words/en/dashboard.ts'
import { useAction } from './load.ts'
import { Problem } from './problem.tsx'
import { SessionNotice } from './session-notice.tsx'
import { SlowNotice } from './slow-notice.tsx'
import { Toasts } from './toast.tsx'

export function Dialog({
  title,
  onClose,
  wide = false,
  children,
}: {
  readonly title: ComponentChildren
  onClose(): void
  readonly wide?: boolean
  readonly children: ComponentChildren
}) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  const closing = useRef(onClose)
  closing.current = onClose
  useEffect(() => {
    const dialog = ref.current!
    const before = document.activeElement
    if (!dialog.open) dialog.showModal()
    // A browser may close it without asking: Chromium does where nothing was pressed since it was opened.
    const noticeClose = (): void => {
      closing.current()
      // It stays where it must not be closed, such as one that shows a key for the only time.
      setTimeout(() => {
        if (dialog.isConnected && !dialog.open) dialog.showModal()
      })
    }
    dialog.addEventListener('close', noticeClose)
    // A dialog that is removed while it is open does not give the focus back.
    return () => {
      dialog.removeEventListener('close', noticeClose)
      dialog.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      class={wide ? 'window wide' : 'window'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div class="window-body">
        <header>
          <h2 id={id}>{title}</h2>
          <button type="button" class="close" aria-label={words.close} onClick={onClose}>
            ×
          </button>
        </header>
        <SessionNotice />
        <SlowNotice />
        {children}
      </div>
      <Toasts />
    </dialog>
  )
}

/** Asks before an irreversible action, and stays open when the action fails. */
export function Confirm({
  title,
  yes,
  danger = true,
  disabled = false,
  renderError = (error) => <Problem error={error} />,
  onYes,
  onClose,
  children,
}: {
  readonly title: ComponentChildren
  /** The label of the confirming button: "Revoke the key". */
  readonly yes: string
  readonly danger?: boolean
  readonly disabled?: boolean
  readonly renderError?: (error: unknown) => ComponentChildren
  onYes(): Promise<unknown>
  onClose(): void
  readonly children: ComponentChildren
}) {
  const action = useAction(onYes)
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {renderError(action.error)}
      <div class="actions">
        <button
          type="button"
          class={danger ? 'button danger' : 'button'}
          aria-disabled={action.isBusy || disabled}
          onClick={async () => {
            if (!disabled && (await action.run())) onClose()
          }}
        >
          {yes}
        </button>
        <button type="button" class="button secondary" onClick={onClose}>
          {words.cancel}
        </button>
      </div>
    </Dialog>
  )
}
