/** Short notes of what was done. They are read out, and go away by themselves. */
import { useEffect, useState } from 'preact/hooks'

interface Note {
  readonly id: number
  readonly text: string
}

const shownForMs = 5000
let last = 0
let show: (note: Note) => void = () => {}

/** For what went well: a failure stays where it happened. */
export const toast = (text: string): void => show({ id: ++last, text })

export function Toasts() {
  const [notes, setNotes] = useState<readonly Note[]>([])
  useEffect(() => {
    show = (note) => {
      setNotes((before) => [...before.slice(-2), note])
      setTimeout(() => setNotes((before) => before.filter(({ id }) => id !== note.id)), shownForMs)
    }
    return () => {
      show = () => {}
    }
  }, [])
  return (
    <div class="toasts" role="status">
      {notes.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  )
}
