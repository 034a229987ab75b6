/** Addresses and ids: shortened, with the label of the wallet, a way to copy them, and a way to label the wallet. */
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { shortenAddress } from '../../../web/ui/dom.ts'
import { dashboard as shared, walletLabels as words } from '../../words/en/dashboard.ts'
import { useEnsName } from './ens-names.ts'
import { findLabel, readAccount, saveLabel, useLabels } from './labels.ts'
import { useAction } from './load.ts'
import { session } from './model.ts'
import { Problem } from './problem.tsx'
import { toast } from './toast.tsx'
import { useCopying } from './use-copying.ts'

const sheets = 'M9 9h11v11H9zM5 15H4V4h11v1'
const tick = 'm5 13 4.5 4.5L19 7'
const pencil = 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3'

const Drawing = ({ path }: { readonly path: string }) => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d={path} />
  </svg>
)

/** A small button that copies `text`. `onFail` shows the whole text, to be copied by hand. */
export function CopyIcon({
  text,
  shown = shortenAddress(text),
  onFail,
}: {
  readonly text: string
  readonly shown?: string
  readonly onFail?: () => void
}) {
  const { said, copy } = useCopying(text, onFail)
  const name = shared.copyValue(shown)
  return (
    <>
      <button type="button" class="icon-button" aria-label={name} title={name} onClick={copy}>
        <Drawing path={said === shared.copied ? tick : sheets} />
      </button>
      <span class="visually-hidden" role="status">
        {said}
      </span>
    </>
  )
}

/** An id or a prefix, with a way to copy it. `children`: how it is shown, if not as its text. */
export const Copyable = ({ text, children }: { readonly text: string; readonly children?: ComponentChildren }) => (
  <span>
    {children || <code>{text}</code>}
    <CopyIcon text={text} shown={text} />
  </span>
)

/**
 * An address or an id. `account` names the wallet where its chain is known. `isPlain`: within a control, which may hold
 * no other one. `canLabel`: a place of the wallet itself, where it may be labeled.
 */
export function Address({
  value,
  account = readAccount(value),
  whole = false,
  isPlain = false,
  canLabel = false,
}: {
  readonly value: string
  readonly account?: string
  readonly whole?: boolean
  readonly isPlain?: boolean
  readonly canLabel?: boolean
}) {
  useLabels()
  const [isUnfolded, setUnfolded] = useState(false)
  const label = findLabel(account)
  // A contract wallet counts on its chain alone, and names are of Ethereum.
  const ensName = useEnsName(label === undefined && account === value ? value : undefined)
  const short = shortenAddress(value)
  const isWhole = whole || isUnfolded
  return (
    <>
      {label !== undefined && (
        <>
          <bdi class="wallet-label">{label}</bdi>{' '}
        </>
      )}
      {ensName !== undefined && (
        <>
          <bdi class="wallet-name" title={words.ensName}>
            {ensName}
          </bdi>{' '}
        </>
      )}
      <span class={isWhole ? undefined : 'address-unit'}>
        <code class="address" title={value}>
          <bdi>{isWhole ? value : short}</bdi>
        </code>
        {!isPlain && <CopyIcon text={value} onFail={() => setUnfolded(true)} />}
      </span>
      {canLabel && !session.isLinked && <LabelEditor account={account} short={short} label={label} />}
    </>
  )
}

function LabelEditor({
  account,
  short,
  label = '',
}: {
  readonly account: string
  readonly short: string
  readonly label?: string | undefined
}) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  const name = label === '' ? words.add(short) : words.change(short)
  if (isOpen) return <LabelForm account={account} short={short} label={label} onClose={() => setOpen(false)} />
  return (
    <button type="button" class="icon-button" ref={opener} aria-label={name} title={name} onClick={() => setOpen(true)}>
      <Drawing path={pencil} />
    </button>
  )
}

const longestLabel = 60

function LabelForm({
  account,
  short,
  label,
  onClose,
}: {
  readonly account: string
  readonly short: string
  readonly label: string
  onClose(): void
}) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  // Before paint: the next key belongs to the field.
  useLayoutEffect(() => input.current?.select(), [])
  const [text, setText] = useState(label)
  const saving = useAction(async () => {
    await saveLabel(account, text.trim())
    toast(text.trim() === '' ? words.removed : words.saved)
    onClose()
  })
  return (
    <form
      class="label-form field"
      onSubmit={(event) => {
        event.preventDefault()
        void saving.run()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // A window around it stays open.
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
    >
      <label for={id}>{words.label(short)}</label>
      <input
        ref={input}
        id={id}
        type="text"
        aria-description={words.hint}
        value={text}
        maxLength={longestLabel}
        autocomplete="off"
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="button small" aria-disabled={saving.isBusy}>
        {words.save}
      </button>
      <button type="button" class="button secondary small" onClick={onClose}>
        {shared.cancel}
      </button>
      <span class="hint">{words.hint}</span>
      <Problem error={saving.error} />
    </form>
  )
}
