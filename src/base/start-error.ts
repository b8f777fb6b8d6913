// A reason not to start that is the user's to mend: a port in use, a full disk, a database that is too old. Its message
// is a whole sentence that names the remedy; main.ts prints it, without a stack, and exits 1.

export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'StartError'
  }
}
