// Pages of documentation, which the build takes as texts.
declare module '*.md' {
  const text: string
  export default text
}
