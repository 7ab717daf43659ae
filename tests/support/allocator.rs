//! The allocator of the suites whose explicit searches allocate most: with glibc's they take a
//! seventh (`oracle`) to two fifths (`threads`) more time.

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;
