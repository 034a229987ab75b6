/** Runs on /docs: loads the description and shows it; when it cannot be loaded, says why and offers it again. */
import { h, render } from 'preact'
import { makeElement } from '../../web/ui/dom.ts'
import { App } from './reference/app.tsx'
import { type Description, readDescription } from './reference/description.ts'

const place = document.querySelector<HTMLElement>('#reference')!
// The page may be open under another address than the configured one, and may call none but its own.
const server = new URL('.', location.href).href.replace(/\/$/, '')

const waitMs = 30_000

async function load(): Promise<Description> {
  const response = await fetch(place.dataset.document!, { signal: AbortSignal.timeout(waitMs) }).catch(
    (error: Error) => {
      throw new Error(error.name === 'TimeoutError' ? 'it took too long' : 'the server does not answer')
    },
  )
  if (!response.ok) throw new Error(`the server answered ${response.status}`)
  try {
    return readDescription(await response.json())
  } catch {
    throw new Error('what came is not an API description')
  }
}

async function show(): Promise<void> {
  place.replaceChildren(makeElement('main', {}, note('Loading the reference …')))
  try {
    const description = await load()
    place.replaceChildren()
    render(h(App, { description, server }), place)
  } catch (error) {
    const again = makeElement('button', { type: 'button', class: 'button', onclick: () => void show() }, 'Try again')
    const why = error instanceof Error ? error.message : String(error)
    const problem = note(`The description could not be loaded: ${why}.`)
    problem.setAttribute('role', 'alert')
    place.replaceChildren(makeElement('main', {}, problem, makeElement('p', { class: 'note' }, again)))
    again.focus()
  }
}

const note = (text: string): HTMLElement => makeElement('p', { class: 'note' }, text)

void show()
