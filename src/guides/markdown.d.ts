/** Guides are imported as text, so they travel inside the executable. */
declare module '*.md' {
  const text: string
  export default text
}
