/** Keeps what was typed while a switch of the language loads the page anew. */
import { type Kept, keptKey, readAddress } from './kept-form.ts'

/** Called when the person switches the language. Nothing else stores what it returns. */
export function watchSwitch(read: () => Omit<Kept, 'address' | 'values'>): void {
  document.querySelector('.languages form')?.addEventListener('submit', () => {
    const kept: Kept = { address: readAddress(), values: readValues(), ...read() }
    try {
      sessionStorage.setItem(keptKey, JSON.stringify(kept))
    } catch {
      // Without storage, the form begins anew.
    }
  })
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** A browser does not let a page choose a file, so the form asks for it again (form.ts). */
function readValues(): Readonly<Record<string, string>> {
  const controls = [...document.querySelectorAll<Control>('#work form [name]')]
  return Object.fromEntries(
    controls
      .filter((one) =>
        one.type === 'radio' ? (one as HTMLInputElement).checked : one.type !== 'file' || one.value !== '',
      )
      .map((one) => [one.name, one.type === 'checkbox' ? String((one as HTMLInputElement).checked) : one.value]),
  )
}
