/** The keys of the dashboard: Ctrl+K or ⌘K opens the palette, and `?` shows all keys. */
import { useEffect, useState } from 'preact/hooks'
import type { Place } from '../../../dashboard-places.ts'
import { shortcuts as words } from '../../../words/en/start.ts'
import { Dialog } from '../dialog.tsx'
import { Palette } from './palette.tsx'

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
export const paletteKeys = isApple ? ['⌘', 'K'] : ['Ctrl', 'K']

/** Asks for the palette, for those who press a button in place of keys. */
export const askPalette = (): boolean => dispatchEvent(new Event('palette'))

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')

export function Shortcuts({ places }: { readonly places: readonly Place[] }) {
  const [open, setOpen] = useState<'palette' | 'help'>()
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent): void => {
      // A window that is open keeps its keys.
      if (document.querySelector('dialog[open]') || event.isComposing) return
      const isPalette = event.key.toLowerCase() === 'k' && (isApple ? event.metaKey : event.ctrlKey) && !event.altKey
      if (isPalette) setOpen('palette')
      else if (event.key === '?' && !isTyping(event) && !event.ctrlKey && !event.metaKey) setOpen('help')
      else return
      event.preventDefault()
    }
    const ask = () => setOpen('palette')
    addEventListener('keydown', handleKeyDown)
    addEventListener('palette', ask)
    return () => {
      removeEventListener('keydown', handleKeyDown)
      removeEventListener('palette', ask)
    }
  }, [])
  const close = () => setOpen(undefined)
  if (open === 'palette')
    return <Palette places={places} showShortcuts={() => setTimeout(() => setOpen('help'))} onClose={close} />
  if (open === 'help') return <Help onClose={close} />
  return null
}

function Help({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={words.title} onClose={onClose}>
      <KeyList
        title={words.everywhere}
        rows={[
          [[paletteKeys], words.palette],
          [[['?']], words.help],
          [[['/']], words.search],
          [[['Esc']], words.close],
        ]}
      />
      <KeyList
        title={words.inLists}
        rows={[
          [[['↑'], ['↓']], words.move],
          [[['Home'], ['End']], words.ends],
          [[['Enter']], words.open],
          [[['x']], words.choose],
          [
            [
              ['Shift', '↑'],
              ['Shift', '↓'],
            ],
            words.range,
          ],
          [[[isApple ? '⌘' : 'Ctrl', 'A']], words.all],
          [[['Esc']], words.clear],
        ]}
      />
    </Dialog>
  )
}

type Keys = readonly string[]

function KeyList({
  title,
  rows,
}: {
  readonly title: string
  readonly rows: readonly (readonly [readonly Keys[], string])[]
}) {
  return (
    <>
      <h3>{title}</h3>
      <dl class="key-list">
        {rows.map(([ways, what]) => (
          <div key={what}>
            <dt>
              {ways.map((keys) => (
                <span key={keys.join()}>
                  {keys.map((one) => (
                    <kbd key={one}>{one}</kbd>
                  ))}
                </span>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
