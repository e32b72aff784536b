/**
 * Reads all resources in a worker, because tens of thousands are megabytes. Only the changes since the last response are
 * sent to the page, so that unchanged data costs the page nothing.
 */
import { serveReads } from '../transport/worker/serveReads.ts';
import { createResourceReading } from './resourceReading.ts';

serveReads(self, createResourceReading());
