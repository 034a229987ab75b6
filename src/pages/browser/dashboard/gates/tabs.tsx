/** Views of one thing, side by side. Arrow keys go from tab to tab; which one is open stands in the address. */
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { adjust, useRoute } from '../route.ts'

export interface TabItem {
  readonly id: string
  readonly label: string
}

export function useTab(tabs: readonly TabItem[]): string {
  const { query } = useRoute()
  const wanted = query.get('tab')
  return tabs.some(({ id }) => id === wanted) ? wanted! : tabs[0]!.id
}

export function Tabs({
  tabs,
  current,
  label,
  children,
}: {
  readonly tabs: readonly TabItem[]
  readonly current: string
  readonly label: string
  readonly children: ComponentChildren
}) {
  const list = useRef<HTMLDivElement>(null)
  const open = (at: number, withFocus = false): void => {
    const tab = tabs[(at + tabs.length) % tabs.length]!
    adjust({ tab: tab === tabs[0] ? undefined : tab.id }, { replace: true })
    if (withFocus) list.current?.querySelector<HTMLElement>(`#tab-${tab.id}`)?.focus()
  }
  const steps: Readonly<Record<string, (at: number) => number>> = {
    ArrowRight: (at) => at + 1,
    ArrowLeft: (at) => at - 1,
    Home: () => 0,
    End: () => tabs.length - 1,
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list}>
        {tabs.map(({ id, label: name }, at) => (
          <button
            type="button"
            role="tab"
            key={id}
            id={`tab-${id}`}
            aria-selected={id === current}
            aria-controls="tab-panel"
            tabIndex={id === current ? 0 : -1}
            onClick={() => open(at)}
            onKeyDown={(event) => {
              const step = steps[event.key]
              if (!step) return
              event.preventDefault()
              open(step(at), true)
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${current}`}>
        {children}
      </div>
    </>
  )
}
