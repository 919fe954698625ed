package io.holdfast.repository;

import io.holdfast.repository.Batch.Position;

/** Of one kind: what is due behind a place, so many rows of it. */
interface Due {

    Batch count(Position after, int rows);

    Batch remove(Position after, int rows);
}
