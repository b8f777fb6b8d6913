// A reason why a backup cannot be made or restored that is the user's to mend. Its message is a whole sentence.

export class BackupError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'BackupError'
  }
}
