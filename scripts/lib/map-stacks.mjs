import { mapStacks } from './stacks.mjs';

// To be loaded with --import, before a program.
mapStacks();
