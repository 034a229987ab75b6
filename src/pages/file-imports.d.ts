/** Files of the pages are imported with `{ type: 'file' }`: what comes in is where they are. */
declare module '*.css' {
  const path: string
  export default path
}
declare module '*.wasm' {
  const path: string
  export default path
}
declare module '*.woff2' {
  const path: string
  export default path
}
declare module '*.svg' {
  const path: string
  export default path
}
