/** The small parts that views are made of. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { addressOf, go } from './route.ts'

/** The heading of a view, with what can be done on it. It gets the focus when the view opens, so that it is read out. */
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

/** A link to a place of the dashboard. A click with a modifier key does what it does on every link. */
export function Link({
  to,
  children,
  ...more
}: {
  readonly to: string
  readonly children: ComponentChildren
  readonly class?: string
  readonly 'aria-current'?: 'page' | undefined
  readonly 'aria-label'?: string
}) {
  return (
    <a
      {...more}
      href={addressOf(to)}
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
        go(to)
      }}
    >
      {children}
    </a>
  )
}

/** A list that has nothing yet: what it is for, and a command or a link that begins. */
export function Empty({
  title,
  children,
  command,
  commandLabel = 'Copy the command',
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

const saidForMs = 2000

/** What is told to a screen reader goes away with what is shown. */
export function Copy({
  text,
  label = 'Copy',
  className = 'button secondary small',
}: {
  readonly text: string
  readonly label?: string
  readonly className?: string
}) {
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (said === '') return
    const settling = setTimeout(() => setSaid(''), saidForMs)
    return () => clearTimeout(settling)
  }, [said])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied')
    } catch {
      // Without TLS there is no clipboard, except on loopback.
      setSaid('Copy it with the keyboard')
    }
  }
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

/** Text to copy, whole: a command, a key, a snippet. */
export function Command({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  return (
    <div class="copyable">
      <pre class="code">{text}</pre>
      <Copy text={text} label={label} className="copy" />
    </div>
  )
}

/** A label, what is filled in, and what to know about it. `control` gets the ids that tie them together. */
export function Field({
  label,
  hint,
  error,
  optional = false,
  children,
}: {
  readonly label: ComponentChildren
  readonly hint?: ComponentChildren
  readonly error?: string | undefined
  readonly optional?: boolean
  readonly children: (control: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ComponentChildren
}) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>
        {label} {optional && <span class="optional">optional</span>}
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

/** An address or an id, shortened for the eye and whole for whoever copies or hovers. */
export function Address({ value, whole = false }: { readonly value: string; readonly whole?: boolean }) {
  const shown = whole || value.length <= 20 ? value : `${value.slice(0, 8)}…${value.slice(-6)}`
  return (
    <code class="address" title={value}>
      <bdi>{shown}</bdi>
    </code>
  )
}

/** A word of state. `kind` colours it; the word says it all the same. */
export function Tag({
  kind = 'plain',
  children,
}: {
  readonly kind?: 'plain' | 'good' | 'warning' | 'bad' | 'info'
  readonly children: ComponentChildren
}) {
  return <span class={`tag ${kind}`}>{children}</span>
}

/** Something is being asked for: shown only where it takes long enough to be noticed. */
export function Waiting({ what = 'Loading' }: { readonly what?: string }) {
  return (
    <div class="waiting" role="status">
      <span class="visually-hidden">{what} …</span>
    </div>
  )
}

/** The element gets the focus when it appears. */
export function useFocus<E extends HTMLElement>() {
  const ref = useRef<E>(null)
  useEffect(() => ref.current?.focus(), [])
  return ref
}
