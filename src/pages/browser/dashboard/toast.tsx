/** Short notes of what was done. They are read out, and go away by themselves. */
import { useEffect, useReducer, useRef } from 'preact/hooks'

interface Note {
  readonly id: number
  readonly text: string
}

const shownForMs = 5000
let last = 0
let notes: readonly Note[] = []

/** The places for notes. A window covers those below it, so the newest place shows them. */
const places: Place[] = []

interface Place {
  draw(): void
}

function change(next: readonly Note[]): void {
  notes = next
  drawAll()
}

function drawAll(): void {
  for (const { draw } of places) draw()
}

/** For what went well: a failure stays where it happened. */
export function toast(text: string): void {
  const note = { id: ++last, text }
  change([...notes.slice(-2), note])
  setTimeout(() => change(notes.filter(({ id }) => id !== note.id)), shownForMs)
}

/** `isOfPage`: below every window, also below one that the page opens with. */
export function Toasts({ isOfPage = false }: { readonly isOfPage?: boolean }) {
  const [, draw] = useReducer((count: number, _: undefined) => count + 1, 0)
  const place = useRef<Place>({ draw: () => draw(undefined) })
  useEffect(() => {
    places.splice(isOfPage ? 0 : places.length, 0, place.current)
    drawAll()
    return () => {
      places.splice(places.indexOf(place.current), 1)
      drawAll()
    }
  }, [])
  return (
    <div class="toasts" role="status">
      {places.at(-1) === place.current && notes.map(({ id, text }) => <p key={id}>{text}</p>)}
    </div>
  )
}
