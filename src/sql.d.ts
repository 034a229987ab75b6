/** Migrations are imported as text and so travel inside the executable. */
declare module '*.sql' {
  const text: string
  export default text
}
