import { Global, Module } from '@nestjs/common';
import { SandboxClock } from './sandbox-clock';
import { SandboxKeeper } from './sandbox-keeper';
import { SandboxReset } from './sandbox-reset';

/** Sandboxes: workspaces whose clock can be moved. */
@Global()
@Module({ providers: [SandboxKeeper, SandboxClock, SandboxReset], exports: [SandboxClock, SandboxReset] })
export class SandboxModule {}
