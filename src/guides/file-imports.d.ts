/** Guides are imported as text and their pictures as paths, so both travel inside the executable. */
declare module '*.md' {
  const text: string
  export default text
}
declare module '*.png' {
  const path: string
  export default path
}
