/** False where the page may not: one that did not come over TLS has no clipboard, except on loopback. Selects it then. */
export async function copyText(text: string, block: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    getSelection()?.selectAllChildren(block)
    return false
  }
}

/** How long a button says that it copied. */
export const saidForMs = 2000
