import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import { CommanderError } from 'commander';
import { sentence } from './cli/output';
import { createProgram } from './cli/program';

/** The `helpdesk` command. A failure is one sentence on standard error and exit code 1. */
async function main(): Promise<void> {
  // Log lines of the platform would mix with what the command prints.
  Logger.overrideLogger(false);
  try {
    await createProgram().parseAsync(process.argv);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return;
    // Commander has printed its own errors already.
    if (!(error instanceof CommanderError)) process.stderr.write(`${sentence(error)}\n`);
    process.exitCode = 1;
  }
}

void main();
