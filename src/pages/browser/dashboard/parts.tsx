/** The small parts that views are made of. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { isLoopbackHost } from '../../../http/loopback.ts'
import { slowness, dashboard as words } from '../../words/en/dashboard.ts'
import { type Slowness, watchSlowness } from '../slowness.ts'
import { buildAddress, go } from './route.ts'
import { useCopying } from './use-copying.ts'

/**
 * The heading of a view, with its actions. It gets the focus when the view opens, so that screen readers announce it.
 */
export function Heading({
  title,
  lead,
  children,
}: {
  readonly title: ComponentChildren
  readonly lead?: ComponentChildren
  readonly children?: ComponentChildren
}) {
  return (
    <header class="heading">
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {children && <div class="heading-actions">{children}</div>}
    </header>
  )
}

/** A link to a view of the dashboard. A click with a modifier key keeps its usual effect. */
export function Link({
  to,
  children,
  onFollow,
  ...more
}: {
  readonly to: string
  readonly onFollow?: () => void
  readonly children: ComponentChildren
  readonly class?: string
  readonly 'aria-current'?: 'page' | undefined
  readonly 'aria-label'?: string
}) {
  return (
    <a
      {...more}
      href={buildAddress(to)}
      onClick={(event) => {
        if (
          event.defaultPrevented ||
          event.button !== 0 ||
          event.metaKey ||
          event.ctrlKey ||
          event.shiftKey ||
          event.altKey
        )
          return
        event.preventDefault()
        onFollow?.()
        go(to)
      }}
    >
      {children}
    </a>
  )
}

/** An empty list: its purpose, and a command or a link to start with. */
export function Empty({
  title,
  children,
  command,
  commandLabel = words.copyCommand,
}: {
  readonly title: string
  readonly children?: ComponentChildren
  readonly command?: string | undefined
  readonly commandLabel?: string
}) {
  return (
    <section class="empty">
      <h2>{title}</h2>
      {children}
      {command !== undefined && <Command text={command} label={commandLabel} />}
    </section>
  )
}

/** The announcement for screen readers ends together with the visible one. */
export function Copy({
  text,
  label = words.copy,
  className = 'button secondary small',
}: {
  readonly text: string
  readonly label?: string
  readonly className?: string
}) {
  const { said, copy } = useCopying(text)
  return (
    <>
      <button type="button" class={className} onClick={copy}>
        {said || label}
      </button>
      <span class="visually-hidden" role="status">
        {said}
      </span>
    </>
  )
}

/** Under an address to share, which nobody else can open where the server listens on this computer alone. */
export const LoopbackNote = ({ address }: { readonly address: string }) =>
  isLoopbackHost(new URL(address).hostname) ? <p class="hint">{words.onlyHere}</p> : null

/** Text to copy in full: a command, a key, a snippet. */
export function Command({ text, label = words.copy }: { readonly text: string; readonly label?: string }) {
  return (
    <div class="copyable">
      <pre class="code">{text}</pre>
      <Copy text={text} label={label} className="copy" />
    </div>
  )
}

/** A label, its control and a hint. `control` receives the ids that connect them. */
export function Field({
  label,
  hint,
  error,
  optional = false,
  onLeave,
  children,
}: {
  readonly label: ComponentChildren
  readonly hint?: ComponentChildren
  readonly error?: string | undefined
  readonly optional?: boolean
  /** Called when the control loses the focus. */
  readonly onLeave?: () => void
  readonly children: (control: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ComponentChildren
}) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div class="field" onFocusOut={onLeave}>
      <label for={id}>
        {label} {optional && <span class="optional">{words.optional}</span>}
      </label>
      {children({
        id,
        ...(described ? { 'aria-describedby': described } : {}),
        ...(error ? { 'aria-invalid': true as const } : {}),
      })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="hint wrong" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

/** A word for a state. `kind` colors it, but the word alone is sufficient. */
export function Tag({
  kind = 'plain',
  children,
}: {
  readonly kind?: 'plain' | 'good' | 'warning' | 'bad' | 'info'
  readonly children: ComponentChildren
}) {
  return <span class={`tag ${kind}`}>{children}</span>
}

/**
 * The outline of what is loading. It appears after 150 ms (dashboard.css), says after 3 s what takes long, and offers a
 * way out after 15 s: `retry`, or to load the page again.
 */
export function Waiting({
  what = words.loading,
  retry = () => location.reload(),
}: {
  readonly what?: string
  readonly retry?: () => void
}) {
  const [attempt, setAttempt] = useState(0)
  const [slow, setSlow] = useState<Slowness>('usual')
  useEffect(() => {
    setSlow('usual')
    return watchSlowness(setSlow)
  }, [attempt])
  return (
    <div class="waiting">
      <p role="status" class={slow === 'usual' ? 'visually-hidden' : 'quiet'}>
        {what} … {slow === 'slow' && slowness.slow}
        {slow === 'very slow' && slowness.verySlow}
      </p>
      {slow === 'very slow' && (
        <button
          type="button"
          class="button secondary small"
          onClick={() => {
            setAttempt(attempt + 1)
            retry()
          }}
        >
          {words.tryAgain}
        </button>
      )}
      <div class="skeleton" aria-hidden="true">
        <span class="skeleton-row" />
        <span class="skeleton-row" />
        <span class="skeleton-row" />
      </div>
    </div>
  )
}

/** The element gets the focus when it appears. */
export function useFocus<E extends HTMLElement>() {
  const ref = useRef<E>(null)
  useEffect(() => ref.current?.focus(), [])
  return ref
}
