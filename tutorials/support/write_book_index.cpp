// Writes the first page of the book. Run as: write_book_index FOLDER
#include "tutorials/support/book.h"

#include <exception>
#include <iostream>

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "write_book_index takes the folder that has the pages of the lessons\n";
        return 2;
    }
    try {
        tutorial::write_book_index(argv[1]);
    } catch (const std::exception& error) {
        std::cerr << "write_book_index: " << error.what() << "\n";
        return 2;
    }
}
