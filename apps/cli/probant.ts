/** The command line: `probant capture …`, `probant verify …` and what operators do. Each reads what it needs alone: a check of a file knows no database. */
const usage = `Usage:
  probant capture URL -o FILE.zip [--lang en|fr] [--quiet] [--tls-keys] [--require good|doubtful]
          [--close-cookies] [--scenario ID | --scenario-file FILE.json] [--scenario-input NAME=VALUE …]
      Captures a page and writes the sealed package. Progress on stderr, one line of JSON on stdout: package, quality,
      coverage, warnings, completeness. Exit code: 0 written, 1 the page could not be captured, 2 sealing or writing
      failed, 3 wrong use, 4 written, but worse than --require asks for.
      --close-cookies dismisses the site's cookie banner: captured before and after, refused where possible, never silent.
      --scenario follows a recipe first: one of the product's, one of PROBANT_SCENARIOS, or a file; it goes into the package.
  probant setup [--file FILE] [--page [--port N]] [--lang en|fr]
      Sets an installation up at the terminal, or with --page in a browser of this machine: asks for its address, TLS, database, storage, mail, time authorities and anchors, tries each
      answer for real, writes the file of settings, makes the first administrator, captures and verifies a first page.
      Exit code: 0 done, 1 given up or the capture did not hold, 3 wrong use, 78 the file of settings cannot be read.
  probant admin create --email ADDRESS [--first-name NAME] [--last-name NAME] [--lang en|fr]
      Makes an administrator of the installation. The password is asked for, or taken from PROBANT_ADMIN_PASSWORD; the second
      factor is set up after the first sign-in, and until then the pages of administrators do not exist.
  probant admin verify-acts [--lang en|fr]
      Recomputes the chain of the record of acts. Exit code: 0 it holds, 1 it does not.
  probant admin plan list | probant admin plan set PLAN --from YYYY-MM-DD [--month CENTS] [--year CENTS] [--report CENTS]
          [--timestamp CENTS] [--reports N|any] [--timestamps N|any] [--drafts N] [--seats N] [--lang en|fr]
      Shows what plans cost and hold today, a line of JSON each; changes it from a day on, today or later. Prices are net, in cents.
      What was invoiced stays, and a period that has begun keeps its prices. Exit code: 0 done, 1 refused, 3 wrong use.
  probant admin fec --to YYYY-MM-DD [--from YYYY-MM-DD] [--out FOLDER] [--lang en|fr]
      Writes the journal of a year of the accounts that ends on a day as the French tax office asks for it (LPF, art. A47 A-1), into a file
      named as it wants it, in the folder or here. On stdout: where, and how many lines. Exit code: 0 written, 1 refused, 3 wrong use.
  probant doctor [--json] [--lang en|fr]
      Examines this installation as it is set up, as the user that it runs as, and changes nothing: says in words what is wrong and what to
      do. Exit code: 0 all is fine, 1 something is to be mended, 2 something forbids that evidence is made, 3 wrong use.
  probant admin statement FILE [--lang en|fr]
      Takes in a statement of the seller's account, as its bank gives it (CAMT.053, CSV): transfers settle the invoices whose reference they
      name. A line of JSON for each that names none. Exit code: 0 taken in, 1 refused, 3 wrong use.
  probant admin payments --since YYYY-MM-DD[THH:MM] [--lang en|fr]
      Names the payments at the provider since then (UTC) that are not in the books of this installation, a line of JSON each: after a
      restore, those of after the backup. Exit code: 0 there is none, 1 there are, or nobody could say, 3 wrong use.
  probant invite create [--days N] [--lang en|fr]
      Prints a link with which one account may be registered where PROBANT_REGISTRATIONS is invite.
  probant backup [--to FOLDER|s3://BUCKET/PREFIX] [--recipient age1… …] [--keep 7d,4w,12m] [--with-master-key] [--lang en|fr]
      Takes a backup of the database, the blobs and the keys, while the product runs or not, enciphered for the recipients (age); what is
      there already is not sent again. Without options, as PROBANT_BACKUP_TO, _RECIPIENTS and _KEEP say. On stdout, a line of JSON.
      Exit code: 0 taken, 1 refused or failed, 2 taken, but a blob that a row names was not there to be taken, 3 wrong use.
  probant backup list [--to …] | probant backup verify [--to …] [--backup ID] [--identity FILE]
      Lists backups, the newest first; reads all of one and checks every piece by its hash, and with an identity all that it holds.
      Exit code: 0 whole, 1 faulty, 3 wrong use.
  probant restore --from FOLDER|s3://… --identity FILE [--backup ID] [--installation HEX] [--lang en|fr]
      Puts the newest backup, or the one named, into an installation in which there is nothing; checks all of it first. Interrupted, it
      goes on when called again. --installation: refuses a backup that another installation signed. Exit code: 0 done, 1 refused, 3 wrong use.
  probant log resume --newest FILE | probant log resume --nothing-since [--lang en|fr]
      After a restore: lets the public log go on from the newest checkpoint that is known outside, or says that there is none since the
      backup. Refuses what would be a second history. Exit code: 0 it goes on, 1 refused, 3 wrong use.
  probant migrate [--lang en|fr]
      Brings the database up to date and ends, for installations whose roles are started by themselves; \`npm start\` does it. On stdout
      which migrations were applied. Exit code: 0 up to date, 1 refused, 3 wrong use.
  probant server show|pin [--lang en|fr]
      Shows what is pinned of this machine as a capture server and what differs; pins what it measured.
  probant server list | probant server invite | probant server join TOKEN [--lang en|fr]
      Lists the capture servers of the installation, a line of JSON each; lets one machine join, once, within an hour; makes this machine one.
  probant server drain SERVER | probant server resume SERVER | probant server remove SERVER [--lang en|fr]
      Has it take nothing new and finish what it has; undoes that; takes it out of the installation, and everything that it has from it.
  probant server assign SERVER GROUP | probant server unassign SERVER [--lang en|fr]
      Dedicates a dedicated capture server to a group, by the group's id or its name, or takes it from its group: then nobody may ask
      for it. What waits for it in the name of another group ends with an error; what is under way goes on. On stdout: whose it was,
      whose it is, how many ended. Exit code: 0 done, 1 refused.
  probant keys list | probant keys rotate KIND [--lang en|fr]
      Lists the keys that the installation publishes as its own, retired ones included; puts a new one in force.
      KIND: bitcoin-signing, nano-signing, log-signing, witness-signing, platform-signing, time-signing.
  probant tls show | probant tls order [HOST] [--lang en|fr]
      Shows the certificates that the installation has by ACME (PROBANT_TLS=acme), a line of JSON each: until when it holds, when the next
      is asked for, why none was had. Has one, or all, asked for now. Exit code: 0 done, 1 nothing to do, 3 wrong use.
  probant stamp FILE … [--hide-name] [--label TEXT] [--out FOLDER] [--wait SECONDS] [--json] [--lang en|fr]
      Time stamps files with an API key: their fingerprints are deposited, the files stay where they are. Writes FILE.tsr (RFC 3161)
      and FILE.ers (RFC 4998) beside each, FILE.ots and FILE.chainpoint.json once there are any, and overwrites nothing. One content
      is deposited once. Above twenty files, one token covers all, and FILE.ers binds each to it.
      Where and with which key: PROBANT_API_URL and PROBANT_API_KEY, or lines NAME=value in ~/.config/probant (chmod 600).
      Exit code: 0 proofs written (600 seconds at most, or --wait), 1 a file was not read or refused, or its proof not written,
      2 the server could not be reached: what waits is kept, 3 wrong use, 4 refused by the server, 5 no time stamp yet, 78 settings.
  probant stamp --resume
      Sends what is kept from before, and gets the proofs that have come since: those of Bitcoin come within hours.
  probant stamp --watch FOLDER [--every SECONDS] [--hide-name] [--label TEXT] [--out FOLDER] [--json]
      Time stamps what is in a folder, and what comes or changes, once it looked the same twice (5 seconds apart, or --every). Names
      that begin with a dot and links are left out; what is deleted is of no consequence. Goes on where it was, however it ended.
  probant verify FILE|FOLDER … [--lang en|fr] [--json] [--fingerprint HEX …] [--trust FILE.pem] [--keys FILE.json]
          [--header HEIGHT:HEX|FILE …] [--digest HEX] [--address BITCOIN] [--account NANO]
      Verifies packages, PDFs, time stamps, signatures, Bitcoin and log proofs, each recognised by its content, and links them to
      the files they are about. Prints every check, then one verdict: whether it is intact and proven, and on whose word.
      --fingerprint: SHA-256 of an authority's certificate, as its operator publishes it; --trust: roots that alone are trusted;
      --keys: what a platform publishes at /.well-known/probant-keys.json, had from elsewhere than what is verified.
      Exit code: 0 nothing is missing, 1 something is contradicted, 2 nothing is contradicted and something is missing, which is
      named, 3 nothing here is a proof, or nothing was verified (wrong use, stopped). In JSON: conclusion.colour, .exit_code.
`

/** With the file of settings; the exit code where that cannot be read, which was said. */
async function environment(): Promise<Readonly<Record<string, string | undefined>> | number> {
  const [{ ConfigError, configErrorExitCode }, { withSettingsFile }] = await Promise.all([
    import('../../platform/config/config.ts'),
    import('../../platform/config/settings-file.ts'),
  ])
  try {
    return withSettingsFile(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    return configErrorExitCode
  }
}

async function main(argv: readonly string[]): Promise<number> {
  const [command, ...rest] = argv
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  // What only checks a file knows nothing of an installation, and the set-up reads the file itself.
  const env = command === 'verify' || command === 'setup' ? process.env : await environment()
  if (typeof env === 'number') return env
  const io = { stdout: process.stdout, stderr: process.stderr, env, signal: stop.signal }
  switch (command) {
    case 'admin': {
      const { runAdminCommand } = await import('./admin.ts')
      return await runAdminCommand(rest, { ...io, keyboard: process.stdin })
    }
    case 'invite': {
      const { runInviteCommand } = await import('./admin.ts')
      return await runInviteCommand(rest, { ...io, keyboard: process.stdin })
    }
    case 'backup': {
      const { runBackupCommand } = await import('./backup.ts')
      return await runBackupCommand(rest, io)
    }
    case 'restore': {
      const { runRestoreCommand } = await import('./backup.ts')
      return await runRestoreCommand(rest, io)
    }
    case 'capture': {
      const [{ runCaptureCommand }, { finaliseLocally, openLocalNotary }] = await Promise.all([
        import('./capture.ts'),
        import('./finalise-locally.ts'),
      ])
      return await runCaptureCommand(rest, io, { finalise: finaliseLocally, openNotary: openLocalNotary })
    }
    case 'doctor': {
      const { runDoctorCommand } = await import('./doctor/doctor.ts')
      return await runDoctorCommand(rest, io)
    }
    case 'log': {
      const { runLogCommand } = await import('./log.ts')
      return await runLogCommand(rest, io)
    }
    case 'keys': {
      const { runKeysCommand } = await import('./keys.ts')
      return await runKeysCommand(rest, io)
    }
    case 'migrate': {
      const { runMigrateCommand } = await import('./migrate.ts')
      return await runMigrateCommand(rest, io)
    }
    case 'setup': {
      const [
        { runSetupCommand },
        { runAdminCommand },
        { runCaptureCommand },
        { finaliseLocally, openLocalNotary },
        { runVerifyCommand },
      ] = await Promise.all([
        import('./setup/setup.ts'),
        import('./admin.ts'),
        import('./capture.ts'),
        import('./finalise-locally.ts'),
        import('./verify.ts'),
      ])
      return await runSetupCommand(
        rest,
        { ...io, keyboard: process.stdin },
        {
          createAdministrator: runAdminCommand,
          capture: async (argv, to) =>
            await runCaptureCommand(argv, to, { finalise: finaliseLocally, openNotary: openLocalNotary }),
          verify: runVerifyCommand,
        },
      )
    }
    case 'tls': {
      const { runTlsCommand } = await import('./tls.ts')
      return await runTlsCommand(rest, io)
    }
    case 'server': {
      const { runServerCommand } = await import('./server.ts')
      return await runServerCommand(rest, io)
    }
    case 'stamp': {
      const { runStampCommand } = await import('./stamp/stamp.ts')
      return await runStampCommand(rest, io)
    }
    case 'verify': {
      const { runVerifyCommand } = await import('./verify.ts')
      return await runVerifyCommand(rest, io)
    }
    case 'help':
    case '--help':
    case '-h':
      process.stdout.write(usage)
      return 0
    default:
      process.stderr.write(usage)
      return 3
  }
}

process.exitCode = await main(process.argv.slice(2))

export {}
